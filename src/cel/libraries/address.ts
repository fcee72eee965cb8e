import { goAddress } from '../../api/json/go-value.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { addressBits, type IpAddress } from '../../api/values/ip-address.ts';

/** Thrown for invalid addresses; the message is Go's. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly code = 'cel-address';

  constructor(text: string, message: string, at = '') {
    super(`ParseAddr(${goQuote(text)}): ${message}${at === '' ? '' : ` (at ${goQuote(at)})`}`);
  }
}

/** An address, and the zone after a `%`. */
export interface ZonedAddress extends IpAddress {
  readonly zone: string;
}

/** Go's `%#v` of the address, which holds those of IPv4 as mapped ones. */
export function goSyntax({ family, value }: IpAddress): string {
  const whole = family === 4 ? value | 0xffff_0000_0000n : value;
  const hex = (half: bigint): string => `0x${BigInt.asUintN(64, half).toString(16)}`;
  const zone = `unique.Handle[net/netip.addrDetail]{value:(*netip.addrDetail)(${goAddress})}`;
  return `netip.Addr{addr:netip.uint128{hi:${hex(whole >> 64n)}, lo:${hex(whole)}}, z:${zone}}`;
}

function starts({ family, value }: IpAddress, length: number, prefix: bigint): boolean {
  return value >> BigInt(addressBits[family] - length) === prefix;
}

export function isUnspecified({ value }: IpAddress): boolean {
  return value === 0n;
}

export function isLoopback(address: IpAddress): boolean {
  return address.family === 4 ? starts(address, 8, 127n) : address.value === 1n;
}

function isMulticast(address: IpAddress): boolean {
  return address.family === 4 ? starts(address, 4, 0xen) : starts(address, 8, 0xffn);
}

export function isLinkLocalMulticast(address: IpAddress): boolean {
  // The second byte contains flags and the scope; only the scope counts.
  if (address.family === 6) return isMulticast(address) && ((address.value >> 112n) & 0xfn) === 2n;
  return starts(address, 24, 0xe00000n);
}

export function isLinkLocalUnicast(address: IpAddress): boolean {
  return address.family === 4 ? starts(address, 16, 0xa9fen) : starts(address, 10, 0x3fan);
}

export function isGlobalUnicast(address: IpAddress): boolean {
  if (address.family === 4 && address.value === 0xffffffffn) return false;
  return ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast].some((is) => is(address));
}

/** Parses addresses as Go's netip does. Throws AddressError. */
export function parseAddress(text: string): ZonedAddress {
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === '.') return { family: 4, value: valueOf(ipv4Bytes(text, text)), zone: '' };
  if (mark === ':') return parseIpv6(text);
  throw new AddressError(text, mark === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

function valueOf(bytes: readonly number[]): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function ipv4Bytes(text: string, part: string): number[] {
  const bytes: number[] = [];
  let value: number | undefined;
  for (const [index, char] of [...part].entries()) {
    if (char >= '0' && char <= '9') {
      if (value === 0) throw new AddressError(text, 'IPv4 field has octet with leading zero');
      value = (value ?? 0) * 10 + Number(char);
      if (value > 255) throw new AddressError(text, 'IPv4 field has value >255');
    } else if (char === '.') {
      if (value === undefined || index === part.length - 1) {
        throw new AddressError(text, 'IPv4 field must have at least one digit', part.slice(index));
      }
      if (bytes.length === 3) throw new AddressError(text, 'IPv4 address too long');
      bytes.push(value);
      value = undefined;
    } else {
      throw new AddressError(text, 'unexpected character', [...part].slice(index).join(''));
    }
  }
  if (bytes.length < 3) throw new AddressError(text, 'IPv4 address too short');
  return [...bytes, value ?? 0];
}

function parseIpv6(text: string): ZonedAddress {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw new AddressError(text, 'zone must be a non-empty string');
  const { bytes, gap } = new Ipv6Reader(text, percent < 0 ? text : text.slice(0, percent)).read();
  if (bytes.length < 16 && gap < 0) throw new AddressError(text, 'address string too short');
  if (bytes.length === 16 && gap >= 0)
    throw new AddressError(text, 'the :: must expand to at least one field of zeros');
  const zeros = Array<number>(16 - bytes.length).fill(0);
  const whole = gap < 0 ? bytes : [...bytes.slice(0, gap), ...zeros, ...bytes.slice(gap)];
  return { family: 6, value: valueOf(whole), zone };
}

class Ipv6Reader {
  readonly #text: string;
  readonly #bytes: number[] = [];
  #rest: string;
  /** Byte offset of `::`. */
  #gap = -1;

  constructor(text: string, address: string) {
    this.#text = text;
    this.#rest = address;
  }

  read(): { readonly bytes: readonly number[]; readonly gap: number } {
    if (this.#rest.startsWith('::')) {
      this.#gap = 0;
      this.#rest = this.#rest.slice(2);
    }
    while (this.#bytes.length < 16 && (this.#rest !== '' || this.#gap !== this.#bytes.length)) {
      if (!this.#group()) break;
    }
    if (this.#rest !== '') throw this.#problem('trailing garbage after address');
    return { bytes: this.#bytes, gap: this.#gap };
  }

  #problem(message: string): AddressError {
    return new AddressError(this.#text, message, this.#rest);
  }

  /** Reads four digits and the colon after them; false at the end. */
  #group(): boolean {
    const digits = /^[0-9a-fA-F]*/.exec(this.#rest)?.[0] ?? '';
    if (digits.length > 4) throw this.#problem('each group must have 4 or less digits');
    if (digits === '') throw this.#problem('each colon-separated field must have at least one digit');
    if (this.#rest[digits.length] === '.') {
      this.#embedded();
      return false;
    }
    const value = Number.parseInt(digits, 16);
    this.#bytes.push(value >> 8, value & 0xff);
    this.#rest = this.#rest.slice(digits.length);
    if (this.#rest === '') return false;
    if (!this.#rest.startsWith(':')) throw this.#problem('unexpected character, want colon');
    if (this.#rest.length === 1) throw this.#problem('colon must be followed by more characters');
    this.#rest = this.#rest.slice(1);
    if (!this.#rest.startsWith(':')) return true;
    if (this.#gap >= 0) throw this.#problem('multiple :: in address');
    this.#gap = this.#bytes.length;
    this.#rest = this.#rest.slice(1);
    return this.#rest !== '';
  }

  #embedded(): void {
    const count = this.#bytes.length;
    if (this.#gap < 0 && count !== 12) {
      throw this.#problem('embedded IPv4 address must replace the final 2 fields of the address');
    }
    if (count > 12) throw this.#problem('too many hex fields to fit an embedded IPv4 at the end of the address');
    this.#bytes.push(...ipv4Bytes(this.#text, this.#rest));
    this.#rest = '';
  }
}
