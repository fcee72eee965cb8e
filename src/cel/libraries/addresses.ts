import { type CelType, opaqueType, types } from '../types/cel-type.ts';
import { CelError, isError, LibraryValue, noSuchOverload, type Value } from '../values/value.ts';
import {
  AddressError,
  goSyntax,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseAddress,
} from './address.ts';
import { binary, declare, global, type Library, member, unary } from './define.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import {
  addressBits,
  formatIpAddress,
  type IpAddress,
  type IpRange,
  isMapped,
  isSameAddress,
  masked,
  rangeIncludes,
} from '../../api/values/ip-address.ts';

const { bool, int, string } = types;
const ipType = opaqueType('net.IP');
const cidrType = opaqueType('net.CIDR');

export class IpValue extends LibraryValue {
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  get type(): CelType {
    return ipType;
  }

  get text(): string {
    return formatIpAddress(this.address);
  }

  get goType(): string {
    return 'cel.IP';
  }

  override get syntax(): string {
    return goSyntax(this.address);
  }

  override get identity(): unknown {
    return `\ud800IP${this.text}`;
  }

  override get size(): number {
    return addressBits[this.address.family] / 8;
  }

  protected isSame(other: Value): boolean | undefined {
    return other instanceof IpValue ? isSameAddress(this.address, other.address) : undefined;
  }
}

export class CidrValue extends LibraryValue {
  /** The range, with the address as it was written. */
  readonly range: IpRange;

  constructor(range: IpRange) {
    super();
    this.range = range;
  }

  get type(): CelType {
    return cidrType;
  }

  get text(): string {
    return `${formatIpAddress(this.range.network)}/${this.range.prefixLength}`;
  }

  get goType(): string {
    return 'cel.CIDR';
  }

  override get syntax(): string {
    const { network, prefixLength } = this.range;
    return `netip.Prefix{ip:${goSyntax(network)}, bitsPlusOne:0x${(prefixLength + 1).toString(16)}}`;
  }

  override get identity(): unknown {
    return `\ud800CIDR${this.text}`;
  }

  override get size(): number {
    return Math.ceil(this.range.prefixLength / 8);
  }

  protected isSame(other: Value): boolean | undefined {
    if (!(other instanceof CidrValue)) return undefined;
    const { network, prefixLength } = this.range;
    return prefixLength === other.range.prefixLength && isSameAddress(network, other.range.network);
  }
}

/** Without zones and IPv4-mapped addresses. */
function readIp(text: string): IpValue | CelError {
  try {
    const address = parseAddress(text);
    if (address.zone !== '') return new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
    if (isMapped(address)) return new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
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
    if (length < 0 || length > addressBits[address.family]) return problem('prefix length out of range');
    if (isMapped(address))
      return new CelError(`${notNetwork}: IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
    return new CidrValue({ network: address, prefixLength: length });
  } catch (error) {
    if (error instanceof AddressError) return problem(error.message);
    throw error;
  }
}

type Property = readonly [name: string, id: string, of: (address: IpAddress) => boolean];

const properties: readonly Property[] = [
  ['isUnspecified', 'ip_is_unspecified', isUnspecified],
  ['isLoopback', 'ip_is_loopback', isLoopback],
  ['isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast],
  ['isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast],
  ['isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast],
];

function addressOf(value: Value): IpAddress {
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
        unary((ip) => addressOf(ip).family),
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

function rangeOf(value: Value): IpRange {
  // guaranteed by the signature
  return (value as CidrValue).range;
}

function containsIp(cidr: Value, ip: Value): Value {
  // The reason is not reported here.
  if (isError(ip)) return noSuchOverload;
  const network = addressOf(ip);
  return rangeIncludes(rangeOf(cidr), { network, prefixLength: addressBits[network.family] });
}

function containsCidr(cidr: Value, other: Value): Value {
  return isError(other) ? other : rangeIncludes(rangeOf(cidr), rangeOf(other));
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
        unary((cidr) => new IpValue(rangeOf(cidr).network)),
      ),
    ),
    declare(
      'prefixLength',
      member(
        'cidr_prefix_length',
        [[cidrType], int],
        unary((cidr) => rangeOf(cidr).prefixLength),
      ),
    ),
    declare(
      'masked',
      member(
        'cidr_masked',
        [[cidrType], cidrType],
        unary((cidr) => {
          const { network, prefixLength } = rangeOf(cidr);
          return new CidrValue({ network: masked(network, prefixLength), prefixLength });
        }),
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
