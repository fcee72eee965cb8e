import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** The identity of this server among others: stable as long as the name of its machine is. */
export function serverId(hostName = hostname()): string {
  const hash = createHash('sha256');
  for (const part of [hostName, 'kube-apiserver']) hash.update(withLength(part));
  return `apiserver-${base32(hash.digest().subarray(0, 16))}`;
}

/** The length goes before the bytes, in two. */
function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** RFC 4648, lower-case, without padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)] ?? '').join('');
}
