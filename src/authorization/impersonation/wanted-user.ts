import type { Credentials } from '../../api/contracts/authentication.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { headerText, unescapedKey } from '../../api/text/header-values.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import type { UserInfo } from '../../api/contracts/user.ts';

const extraPrefix = 'impersonate-extra-';

/** The user requested by impersonation headers; undefined for most requests. Throws a StatusError (400). */
export function wantedUser(credentials: Pick<Credentials, 'headersLike'>): UserInfo | undefined {
  let name: string | undefined;
  let uid: string | undefined;
  const groups: string[] = [];
  const extra = new Map<string, string[]>();
  for (const [header, raw] of credentials.headersLike('impersonate-')) {
    const value = headerText(raw);
    // Of a repeated single-value header the first counts.
    if (header === 'impersonate-user') name ??= value;
    else if (header === 'impersonate-uid') uid ??= value;
    else if (header === 'impersonate-group') groups.push(value);
    else if (header.startsWith(extraPrefix)) append(extra, unescapedKey(header.slice(extraPrefix.length)), value);
  }
  const wanted = { name: name ?? '', uid: uid ?? '', groups, extra: Object.fromEntries(extra) };
  if (wanted.name !== '') return wanted;
  if (wanted.uid === '' && groups.length === 0 && extra.size === 0) return undefined;
  throw badRequest(`requested ${goUser(wanted)} without impersonating a user name`);
}

function append(extra: Map<string, string[]>, key: string, value: string): void {
  const values = extra.get(key) ?? [];
  values.push(value);
  extra.set(key, values);
}

/** As Go's `%#v` prints it. */
function goUser({ name, uid, groups, extra }: UserInfo): string {
  const keys = Object.keys(extra).toSorted();
  const entries = keys.map((key) => `${goQuote(key)}:${goStrings(extra[key] ?? [])}`);
  const map = keys.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  const list = groups.length === 0 ? '[]string(nil)' : goStrings(groups);
  return `&user.DefaultInfo{Name:${goQuote(name)}, UID:${goQuote(uid)}, Groups:${list}, Extra:${map}}`;
}

function goStrings(texts: readonly string[]): string {
  return `[]string{${texts.map(goQuote).join(', ')}}`;
}
