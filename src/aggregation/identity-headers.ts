import type { UserInfo } from '../api/user.ts';

/** The aggregator itself, which may read everything. */
export const aggregatorHeaders = {
  'x-remote-user': 'system:kube-aggregator',
  'x-remote-group': 'system:masters',
} as const;

/** Headers with which clients could claim to be somebody else. */
export function isIdentityHeader(name: string): boolean {
  return name === 'x-remote-user' || name === 'x-remote-uid' || name === 'x-remote-group' || name.startsWith(extra);
}

const extra = 'x-remote-extra-';

/** Headers that tell other servers who asks; names may repeat. The uid is told only if `withUid`. */
export function identityHeaders(
  { name, uid, groups, extra: values }: UserInfo,
  { withUid }: { readonly withUid: boolean },
): (readonly [name: string, value: string])[] {
  return [
    ['x-remote-user', name],
    ...(withUid && uid !== '' ? [['x-remote-uid', uid] as const] : []),
    ...groups.map((group) => ['x-remote-group', group] as const),
    ...Object.entries(values).flatMap(([key, each]) =>
      each.map((value) => [`${extra}${escapedKey(key)}`, value] as const),
    ),
  ];
}

/** Tokens of header names (RFC 9110 section 5.6.2) without the percent sign, by which all other bytes are written. */
const plain = /[0-9A-Za-z!#$&'*+.^_`|~-]/;

function escapedKey(key: string): string {
  return Array.from(Buffer.from(key), (byte) => {
    const character = String.fromCharCode(byte);
    return byte < 0x80 && plain.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
