import type { UserInfo } from '../api/contracts/user.ts';

/** The aggregator itself, which may read everything. */
export const aggregatorHeaders = {
  'x-remote-user': 'system:kube-aggregator',
  'x-remote-group': 'system:masters',
} as const;

const extra = 'x-remote-extra-';

/** Values by name of the headers that name the user to other servers. The UID is included only if `withUid`. */
export function identityHeaders(
  { name, uid, groups, extra: values }: UserInfo,
  { withUid }: { readonly withUid: boolean },
): ReadonlyMap<string, readonly string[]> {
  const headers = new Map([['x-remote-user', [name]]]);
  if (withUid && uid !== '') headers.set('x-remote-uid', [uid]);
  if (groups.length > 0) headers.set('x-remote-group', [...groups]);
  for (const [key, each] of Object.entries(values)) {
    if (each.length > 0) headers.set(`${extra}${escapedKey(key)}`, [...each]);
  }
  return new Map([...headers].map(([header, texts]) => [header, texts.map(headerBytes)]));
}

/** Header values are bytes, which node takes from the characters of a text. */
function headerBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Not in tokens of header names (RFC 9110 section 5.6.2), and the percent sign, by which they are written. */
const special = /[^0-9A-Za-z!#$&'*+.^_`|~-]+/gu;

function escapedKey(key: string): string {
  return key.replaceAll(special, (run) =>
    Array.from(Buffer.from(run), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
