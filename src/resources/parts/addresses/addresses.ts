import { childPath, type FieldError, invalidField, keyPath } from '../../../api/errors/field-error.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { once } from '../../../api/collections/kept-by.ts';
import {
  formatIpAddress,
  type IpAddress,
  type IpRange,
  isMapped,
  parseIpAddress,
  parseIpRange,
} from '../../../api/values/ip-address.ts';
import type { Errors } from '../rules/rules.ts';

// Addresses and ranges. Legacy fields accept leading zeros in IPv4; new values may not have them.

export function parseLooseAddress(text: string): IpAddress | undefined {
  return parseIpAddress(withoutLeadingZeros(text));
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/(^|[:.])0+(?=\d{1,3}(?:\.|$|\/))/g, (all, before: string) =>
    text.includes('.') ? before : all,
  );
}

function addressErrors(text: string, path: string): FieldError[] {
  const strict = parseIpAddress(text);
  const address = strict ?? parseLooseAddress(text);
  if (address === undefined) {
    return [invalidField(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
  }
  if (strict === undefined) return [strictly(invalidField(path, text, 'must not have leading 0s'))];
  return isMapped(address) ? [strictly(invalidField(path, text, 'must not be an IPv4-mapped IPv6 address'))] : [];
}

/** Belongs to StrictIPCIDRValidation: without the gate lenient forms are accepted everywhere. */
function strictly(error: FieldError): FieldError {
  return { ...error, clusterPolicy: 'StrictIPCIDRValidation on' };
}

const nothing: ReadonlySet<string> = new Set();

/** An address in a legacy field: values in `old` are tolerated. */
export function ipAddress(text: string | undefined, path: string, old: ReadonlySet<string> = nothing): FieldError[] {
  return old.has(text ?? '') ? [] : addressErrors(text ?? '', path);
}

/** For fields that were always strict. */
function always({ clusterPolicy: _policy, ...error }: FieldError): FieldError {
  return error;
}

/** An address in canonical form. */
export function canonicalIpAddress(text: string | undefined, path: string): FieldError[] {
  const errors = addressErrors(text ?? '', path).map(always);
  const address = parseIpAddress(text ?? '');
  if (errors.length > 0 || address === undefined) return errors;
  const canonical = formatIpAddress(address);
  return canonical === text ? [] : [invalidField(path, text, `must be in canonical form (${goQuote(canonical)})`)];
}

function rangeErrors(text: string, path: string): FieldError[] {
  const range = parseIpRange(withoutLeadingZeros(text).replace(/\/0+(?=\d)/, '/'));
  if (range === undefined) {
    return [invalidField(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
  }
  const [address = '', length = ''] = text.split('/');
  const strict = parseIpAddress(address);
  if (strict === undefined || /^0\d/.test(length)) {
    return [strictly(invalidField(path, text, 'must not have leading 0s in IP or prefix length'))];
  }
  if (isMapped(strict)) return [strictly(invalidField(path, text, 'must not have an IPv4-mapped IPv6 address'))];
  if (strict.value === range.network.value) return [];
  return [strictly(invalidField(path, text, 'must not have bits set beyond the prefix length'))];
}

/** A range in a legacy field. */
export function ipRange(text: string | undefined, path: string, old: ReadonlySet<string> = nothing): FieldError[] {
  return old.has(text ?? '') ? [] : rangeErrors(text ?? '', path);
}

/** A range in canonical form. */
export function canonicalIpRange(text: string | undefined, path: string): FieldError[] {
  const errors = rangeErrors(text ?? '', path).map(always);
  const range = parseIpRange(text ?? '');
  if (errors.length > 0 || range === undefined) return errors;
  const canonical = `${formatIpAddress(range.network)}/${range.prefixLength}`;
  return canonical === text ? [] : [invalidField(path, text, `must be in canonical form (${goQuote(canonical)})`)];
}

export function familyOf(text: string): 4 | 6 | undefined {
  return parseLooseAddress(text)?.family ?? parseIpRange(text)?.network.family;
}

/** At most two, one of each family. */
export function isOnePerFamily(texts: readonly string[]): boolean {
  return texts.length <= 2 && new Set(texts.map(familyOf)).size === texts.length;
}

/** Ranges that endpoints must not use, with the error detail. */
const reserved = once((): readonly { readonly ranges: readonly (IpRange | undefined)[]; readonly detail: string }[] => [
  {
    ranges: ['127.0.0.0/8', '::1/128'].map(parseIpRange),
    detail: 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  },
  {
    ranges: ['169.254.0.0/16', 'fe80::/10'].map(parseIpRange),
    detail: 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  },
  {
    ranges: ['224.0.0.0/24', 'ff02::/16'].map(parseIpRange),
    detail: 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  },
]);

/** An address for endpoints. */
export function* endpointAddress(text: string | undefined, path: string): Errors {
  const address = parseLooseAddress(text ?? '');
  if (address === undefined) return yield invalidField(path, text ?? '', 'must be a valid IP address');
  if (address.value === 0n) yield invalidField(path, text, `may not be unspecified (${text})`);
  for (const { ranges, detail } of reserved()) {
    if (ranges.some((range) => isWithin(address, range))) yield invalidField(path, text, detail);
  }
}

function isWithin(address: IpAddress, range: IpRange | undefined): boolean {
  if (range === undefined || range.network.family !== address.family) return false;
  const bits = BigInt((address.family === 4 ? 32 : 128) - range.prefixLength);
  return address.value >> bits === range.network.value >> bits;
}

/** A list of addresses; values in `old` are tolerated. */
export function* ipAddresses(texts: readonly string[], path: string, old: readonly string[] = []): Errors {
  const known = new Set(old);
  for (const [index, text] of texts.entries()) {
    yield* ipAddress(text, keyPath(path, index), known);
  }
}

/** The path of a field in a list item. */
export function itemPath(path: string, index: number, field: string): string {
  return childPath(keyPath(path, index), field);
}
