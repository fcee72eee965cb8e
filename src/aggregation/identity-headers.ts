import type { UserInfo } from '../api/user.ts';

/** The aggregator itself, which may read everything. */
export const aggregatorHeaders = {
  'x-remote-user': 'system:kube-aggregator',
  'x-remote-group': 'system:masters',
} as const;

const extra = 'x-remote-extra-';

/** Headers that name the user to other servers; names may repeat. The UID is included only if `withUid`. */
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

/** Not in tokens of header names (RFC 9110 section 5.6.2), and the percent sign, by which they are written. */
const special = /[^0-9A-Za-z!#$&'*+.^_`|~-]+/gu;

function escapedKey(key: string): string {
  return key.replaceAll(special, (run) =>
    Array.from(Buffer.from(run), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
