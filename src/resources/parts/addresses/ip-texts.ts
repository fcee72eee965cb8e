import { goQuote } from '../../../api/go/go-quote.ts';
import {
  addressBits,
  addressInRange,
  formatIpAddress,
  type IpAddress,
  masked,
  parseIpAddress,
  parseIpRange,
  unmapped,
} from '../../../api/values/ip-address.ts';

// Warnings about addresses that are accepted but not canonical.

/** Warnings about one address. */
export function ipWarnings(path: string, text = ''): string[] {
  const address = parseLoosely(text);
  if (address === undefined) return [];
  const plain = unmapped(address);
  if (parseIpAddress(text) === undefined || plain !== address) {
    const preferred = goQuote(formatIpAddress(plain));
    return [`${path}: non-standard IP address ${goQuote(text)} is invalid: use ${preferred}`];
  }
  return canonicalWarnings(path, { what: 'IPv6 address', text, canonical: formatIpAddress(address), address });
}

/** Warnings about one range. */
export function cidrWarnings(path: string, text = ''): string[] {
  const [addressText = '', lengthText = ''] = text.split('/');
  const address = parseLoosely(addressText);
  if (address === undefined || !/^\d+$/.test(lengthText)) return [];
  const plain = unmapped(address);
  const bits = addressBits[plain.family];
  const length = Number(lengthText) - (plain === address ? 0 : addressBits[6] - addressBits[4]);
  const range = parseIpRange(`${formatIpAddress(masked(plain, length))}/${length}`);
  if (range === undefined) return [];
  const network = `${formatIpAddress(addressInRange(range, 0n))}/${length}`;
  const single = `${formatIpAddress(plain)}/${bits}`;
  const warnings: string[] = [];
  if (range.network.value !== plain.value) {
    const choice = `should be ${goQuote(network)} or ${goQuote(single)}?`;
    warnings.push(`${path}: CIDR value ${goQuote(text)} is ambiguous in this context (${choice})`);
  }
  const standard = parseIpAddress(addressText) !== undefined && plain === address && !/^0\d/.test(lengthText);
  if (!standard) warnings.push(`${path}: non-standard CIDR value ${goQuote(text)} is invalid: use ${goQuote(network)}`);
  if (warnings.length > 0) return warnings;
  return canonicalWarnings(path, { what: 'IPv6 CIDR value', text, canonical: network, address });
}

interface Written {
  readonly what: string;
  readonly text: string;
  readonly canonical: string;
  readonly address: IpAddress;
}

function canonicalWarnings(path: string, { what, text, canonical, address }: Written): string[] {
  if (address.family === 4 || canonical === text) return [];
  return [`${path}: ${what} ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(canonical)})`];
}

/** Accepts leading zeros in IPv4, as Go did before 1.17. */
function parseLoosely(text: string): IpAddress | undefined {
  return parseIpAddress(text) ?? parseIpAddress(text.replaceAll(/(?:^|[.:])\d+(?=\.|$)/g, withoutZeros));
}

function withoutZeros(part: string): string {
  return part.replace(/^([.:]?)0+(?=\d)/, '$1');
}
