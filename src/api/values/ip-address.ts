import { isIP } from 'node:net';

/** An address as a number, which makes masks and neighbours arithmetic. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** A range of addresses; `network` has no bits set beyond the prefix. */
export interface IpRange {
  readonly network: IpAddress;
  readonly prefixLength: number;
}

/** By family. */
export const addressBits = { 4: 32, 6: 128 } as const;

export function parseIpAddress(text: string): IpAddress | undefined {
  const family = isIP(text);
  if (family === 4) {
    return { family, value: BigInt(text.split('.').reduce((value, group) => value * 256 + Number(group), 0)) };
  }
  if (family !== 6 || text.includes('%')) return undefined;
  return { family, value: ipv6Groups(text).reduce((value, group) => (value << 16n) | BigInt(group), 0n) };
}

/** The eight groups of an address that may contain `::` and end in a dotted quad. */
function ipv6Groups(text: string): readonly number[] {
  const [head = '', tail] = text.split('::');
  const before = groupsOf(head);
  if (tail === undefined) return before;
  const after = groupsOf(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function groupsOf(text: string): readonly number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}

/** The canonical text (RFC 5952). */
export function formatIpAddress({ family, value }: IpAddress): string {
  const width = family === 4 ? 8 : 16;
  const count = addressBits[family] / width;
  const mask = (1n << BigInt(width)) - 1n;
  const groups = Array.from({ length: count }, (_, index) => (value >> BigInt(width * (count - 1 - index))) & mask);
  if (family === 4) return groups.join('.');
  // The URL parser compresses the longest run of zeros as the RFC requires.
  return new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);
}

export function parseIpRange(text: string): IpRange | undefined {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const address = parseIpAddress(match?.[1] ?? '');
  const prefixLength = Number(match?.[2]);
  if (!address || prefixLength > addressBits[address.family]) return undefined;
  return { network: masked(address, prefixLength), prefixLength };
}

export function isSameAddress(a: IpAddress, b: IpAddress): boolean {
  return a.family === b.family && a.value === b.value;
}

/** The address without the bits beyond the prefix. */
export function masked({ family, value }: IpAddress, prefixLength: number): IpAddress {
  const rest = BigInt(Math.max(0, addressBits[family] - prefixLength));
  return { family, value: (value >> rest) << rest };
}

/** Whether the address is an IPv4 address in the form of an IPv6 one, such as `::ffff:10.0.0.1`. */
export function isMapped({ family, value }: IpAddress): boolean {
  return family === 6 && value >> 32n === 0xffffn;
}

/** The IPv4 address that a mapped one stands for; other addresses as they are. */
export function unmapped(address: IpAddress): IpAddress {
  return isMapped(address) ? { family: 4, value: address.value & 0xffff_ffffn } : address;
}

function hostBitsOf({ network, prefixLength }: IpRange): bigint {
  return BigInt(addressBits[network.family] - prefixLength);
}

/** Number of addresses in the range. */
export function sizeOfRange(range: IpRange): bigint {
  return 1n << hostBitsOf(range);
}

/** The address at an offset; 1 is the first usable one. */
export function addressInRange(range: IpRange, offset: bigint): IpAddress {
  return { family: range.network.family, value: range.network.value + offset };
}

/** Whether `outer` contains all addresses of `inner`. */
export function rangeIncludes(outer: IpRange, inner: IpRange): boolean {
  if (outer.network.family !== inner.network.family || outer.prefixLength > inner.prefixLength) return false;
  const hostBits = hostBitsOf(outer);
  return inner.network.value >> hostBits === outer.network.value >> hostBits;
}

/** Whether the range contains the address as a usable one: not the network address nor the IPv4 broadcast address. */
export function rangeHasHost(range: IpRange, address: IpAddress): boolean {
  const { network } = range;
  const offset = address.value - network.value;
  const last = sizeOfRange(range) - (network.family === 4 ? 2n : 1n);
  return address.family === network.family && offset >= 1n && offset <= last;
}
