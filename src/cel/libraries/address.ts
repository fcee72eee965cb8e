import { goAddress } from '../../api/go-value.ts';
import { goQuote } from '../../api/go-quote.ts';
import { formatIpAddress } from '../../api/ip-address.ts';

/** Thrown for invalid addresses; the message is Go's. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly code = 'cel-address';

  constructor(text: string, message: string, at = '') {
    super(`ParseAddr(${goQuote(text)}): ${message}${at === '' ? '' : ` (at ${goQuote(at)})`}`);
  }
}

export class Address {
  readonly bits: 32 | 128;
  readonly #value: bigint;
  readonly zone: string;

  constructor(bytes: readonly number[], zone = '') {
    this.bits = bytes.length === 4 ? 32 : 128;
    this.#value = bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
    this.zone = zone;
  }

  /** Go's `%#v` of the address, which holds those of IPv4 as mapped ones. */
  get syntax(): string {
    const whole = this.bits === 32 ? this.#value | 0xffff_0000_0000n : this.#value;
    const hex = (half: bigint): string => `0x${BigInt.asUintN(64, half).toString(16)}`;
    const zone = `unique.Handle[net/netip.addrDetail]{value:(*netip.addrDetail)(${goAddress})}`;
    return `netip.Addr{addr:netip.uint128{hi:${hex(whole >> 64n)}, lo:${hex(whole)}}, z:${zone}}`;
  }

  isEqual(other: Address): boolean {
    return this.bits === other.bits && this.#value === other.#value && this.zone === other.zone;
  }

  get text(): string {
    return formatIpAddress({ family: this.bits === 32 ? 4 : 6, value: this.#value });
  }

  /** An IPv4-mapped IPv6 address. */
  get isMapped(): boolean {
    return this.bits === 128 && this.#value >> 32n === 0xffffn;
  }

  masked(prefixLength: number): Address {
    const rest = BigInt(this.bits - prefixLength);
    const value = (this.#value >> rest) << rest;
    const count = this.bits / 8;
    return new Address(
      Array.from({ length: count }, (_, index) => Number((value >> BigInt(8 * (count - 1 - index))) & 0xffn)),
    );
  }

  #starts(length: number, prefix: bigint): boolean {
    return this.#value >> BigInt(this.bits - length) === prefix;
  }

  get isUnspecified(): boolean {
    return this.#value === 0n;
  }

  get isLoopback(): boolean {
    return this.bits === 32 ? this.#starts(8, 127n) : this.#value === 1n;
  }

  get isMulticast(): boolean {
    return this.bits === 32 ? this.#starts(4, 0xen) : this.#starts(8, 0xffn);
  }

  get isLinkLocalMulticast(): boolean {
    // The second byte contains flags and the scope; only the scope counts.
    return this.bits === 32 ? this.#starts(24, 0xe00000n) : this.isMulticast && ((this.#value >> 112n) & 0xfn) === 2n;
  }

  get isLinkLocalUnicast(): boolean {
    return this.bits === 32 ? this.#starts(16, 0xa9fen) : this.#starts(10, 0x3fan);
  }

  get isGlobalUnicast(): boolean {
    if (this.bits === 32 && this.#value === 0xffffffffn) return false;
    return !(this.isUnspecified || this.isLoopback || this.isMulticast || this.isLinkLocalUnicast);
  }
}

/** Parses addresses as Go's netip does. Throws AddressError. */
export function parseAddress(text: string): Address {
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === '.') return new Address(ipv4Bytes(text, text));
  if (mark === ':') return parseIpv6(text);
  throw new AddressError(text, mark === '%' ? 'missing IPv6 address' : 'unable to parse IP');
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

function parseIpv6(text: string): Address {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw new AddressError(text, 'zone must be a non-empty string');
  const { bytes, gap } = new Ipv6Reader(text, percent < 0 ? text : text.slice(0, percent)).read();
  if (bytes.length < 16 && gap < 0) throw new AddressError(text, 'address string too short');
  if (bytes.length === 16 && gap >= 0)
    throw new AddressError(text, 'the :: must expand to at least one field of zeros');
  const zeros = Array<number>(16 - bytes.length).fill(0);
  return new Address(gap < 0 ? bytes : [...bytes.slice(0, gap), ...zeros, ...bytes.slice(gap)], zone);
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
