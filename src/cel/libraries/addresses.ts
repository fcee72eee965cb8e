import { type CelType, opaqueType, types } from '../types/cel-type.ts';
import { CelError, isError, LibraryValue, noSuchOverload, type Value } from '../values/value.ts';
import { Address, AddressError, parseAddress } from './address.ts';
import { binary, declare, global, type Library, member, unary } from './define.ts';
import { goQuote } from '../../api/go-quote.ts';

const { bool, int, string } = types;
const ipType = opaqueType('net.IP');
const cidrType = opaqueType('net.CIDR');

export class IpValue extends LibraryValue {
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  get type(): CelType {
    return ipType;
  }

  get text(): string {
    return this.address.text;
  }

  get goType(): string {
    return 'cel.IP';
  }

  override get syntax(): string {
    return this.address.syntax;
  }

  override get identity(): unknown {
    return `\ud800IP${this.text}`;
  }

  override get size(): number {
    return this.address.bits / 8;
  }

  protected isSame(other: Value): boolean | undefined {
    return other instanceof IpValue ? this.address.isEqual(other.address) : undefined;
  }
}

export class CidrValue extends LibraryValue {
  readonly address: Address;
  readonly prefixLength: number;

  constructor(address: Address, prefixLength: number) {
    super();
    this.address = address;
    this.prefixLength = prefixLength;
  }

  get type(): CelType {
    return cidrType;
  }

  get text(): string {
    return `${this.address.text}/${this.prefixLength}`;
  }

  get goType(): string {
    return 'cel.CIDR';
  }

  override get syntax(): string {
    return `netip.Prefix{ip:${this.address.syntax}, bitsPlusOne:0x${(this.prefixLength + 1).toString(16)}}`;
  }

  override get identity(): unknown {
    return `\ud800CIDR${this.text}`;
  }

  override get size(): number {
    return Math.ceil(this.prefixLength / 8);
  }

  protected isSame(other: Value): boolean | undefined {
    if (!(other instanceof CidrValue)) return undefined;
    return this.prefixLength === other.prefixLength && this.address.isEqual(other.address);
  }

  get masked(): CidrValue {
    return new CidrValue(this.address.masked(this.prefixLength), this.prefixLength);
  }

  containsIp({ address }: IpValue): boolean {
    if (address.bits !== this.address.bits) return false;
    return address.masked(this.prefixLength).isEqual(this.address.masked(this.prefixLength));
  }

  containsCidr(other: CidrValue): boolean {
    if (other.address.bits !== this.address.bits || this.prefixLength > other.prefixLength) return false;
    return this.containsIp(new IpValue(other.address));
  }
}

/** Without zones and IPv4-mapped addresses. */
function readIp(text: string): IpValue | CelError {
  try {
    const address = parseAddress(text);
    if (address.zone !== '') return new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
    if (address.isMapped) return new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
    return new IpValue(address);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return new CelError(`IP Address ${goQuote(text)} parse error during conversion from string: ${error.message}`);
  }
}

const notNetwork = 'network address parse error during conversion from string';

function readCidr(text: string): CidrValue | CelError {
  const slash = text.lastIndexOf('/');
  const problem = (message: string): CelError =>
    new CelError(`${notNetwork}: ${notNetwork}: netip.ParsePrefix(${goQuote(text)}): ${message}`);
  if (slash < 0) return problem("no '/'");
  try {
    const address = parseAddress(text.slice(0, slash));
    if (address.zone !== '') return problem('IPv6 zones cannot be present in a prefix');
    const digits = text.slice(slash + 1);
    if (!/^(?:\d|[1-9]\d*)$/.test(digits)) return problem(`bad bits after slash: ${goQuote(digits)}`);
    const length = Number(digits);
    if (length < 0 || length > address.bits) return problem('prefix length out of range');
    if (address.isMapped)
      return new CelError(`${notNetwork}: IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
    return new CidrValue(address, length);
  } catch (error) {
    if (error instanceof AddressError) return problem(error.message);
    throw error;
  }
}

type Property = readonly [name: string, id: string, of: (address: Address) => boolean];

const properties: readonly Property[] = [
  ['isUnspecified', 'ip_is_unspecified', (address) => address.isUnspecified],
  ['isLoopback', 'ip_is_loopback', (address) => address.isLoopback],
  ['isLinkLocalMulticast', 'ip_is_link_local_multicast', (address) => address.isLinkLocalMulticast],
  ['isLinkLocalUnicast', 'ip_is_link_local_unicast', (address) => address.isLinkLocalUnicast],
  ['isGlobalUnicast', 'ip_is_global_unicast', (address) => address.isGlobalUnicast],
];

function addressOf(value: Value): Address {
  // guaranteed by the signature
  return (value as IpValue).address;
}

export const ipLibrary: Library = {
  name: 'kubernetes.net.ip',
  types: [ipType],
  functions: [
    declare(
      'ip',
      global(
        'string_to_ip',
        [[string], ipType],
        unary((text) => readIp(text as string)),
      ),
    ),
    declare(
      'family',
      member(
        'ip_family',
        [[ipType], int],
        unary((ip) => (addressOf(ip).bits === 32 ? 4 : 6)),
      ),
    ),
    declare(
      'ip.isCanonical',
      global(
        'ip_is_canonical',
        [[string], bool],
        unary((text) => {
          const ip = readIp(text as string);
          return isError(ip) ? ip : (ip as IpValue).text === text;
        }),
      ),
    ),
    ...properties.map(([name, id, of]) =>
      declare(
        name,
        member(
          id,
          [[ipType], bool],
          unary((ip) => of(addressOf(ip))),
        ),
      ),
    ),
    declare(
      'isIP',
      global(
        'is_ip',
        [[string], bool],
        unary((text) => !isError(readIp(text as string))),
      ),
    ),
    declare(
      'string',
      global(
        'ip_to_string',
        [[ipType], string],
        unary((ip) => (ip as IpValue).text),
      ),
    ),
  ],
};

function containsIp(cidr: Value, ip: Value): Value {
  // The reason is not reported here.
  return isError(ip) ? noSuchOverload : (cidr as CidrValue).containsIp(ip as IpValue);
}

function containsCidr(cidr: Value, other: Value): Value {
  return isError(other) ? other : (cidr as CidrValue).containsCidr(other as CidrValue);
}

export const cidrLibrary: Library = {
  name: 'kubernetes.net.cidr',
  types: [cidrType],
  functions: [
    declare(
      'cidr',
      global(
        'string_to_cidr',
        [[string], cidrType],
        unary((text) => readCidr(text as string)),
      ),
    ),
    declare(
      'containsIP',
      member(
        'cidr_contains_ip_string',
        [[cidrType, string], bool],
        binary((cidr, text) => containsIp(cidr, readIp(text as string))),
      ),
      member('cidr_contains_ip_ip', [[cidrType, ipType], bool], binary(containsIp)),
    ),
    declare(
      'containsCIDR',
      member(
        'cidr_contains_cidr_string',
        [[cidrType, string], bool],
        binary((cidr, text) => containsCidr(cidr, readCidr(text as string))),
      ),
      member('cidr_contains_cidr', [[cidrType, cidrType], bool], binary(containsCidr)),
    ),
    declare(
      'ip',
      member(
        'cidr_ip',
        [[cidrType], ipType],
        unary((cidr) => new IpValue(addressOf(cidr))),
      ),
    ),
    declare(
      'prefixLength',
      member(
        'cidr_prefix_length',
        [[cidrType], int],
        unary((cidr) => (cidr as CidrValue).prefixLength),
      ),
    ),
    declare(
      'masked',
      member(
        'cidr_masked',
        [[cidrType], cidrType],
        unary((cidr) => (cidr as CidrValue).masked),
      ),
    ),
    declare(
      'isCIDR',
      global(
        'is_cidr',
        [[string], bool],
        unary((text) => !isError(readCidr(text as string))),
      ),
    ),
    declare(
      'string',
      global(
        'cidr_to_string',
        [[cidrType], string],
        unary((cidr) => (cidr as CidrValue).text),
      ),
    ),
  ],
};
