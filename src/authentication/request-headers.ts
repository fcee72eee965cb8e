import type { Authenticator, Credentials, Identity } from '../api/contracts/authentication.ts';
import { ConfigError } from '../api/errors/config-error.ts';
import { headerText, unescapedKey } from '../api/text/header-values.ts';
import { unauthorized } from '../api/errors/status-errors.ts';
import { commonNameOid, namedParts } from '../codec/x509/distinguished-name.ts';
import type { HeaderLists } from './authentication-config.ts';
import type { AuthenticatorContext } from './authenticator-context.ts';
import { ClientAuthorities, readAuthorities, readOnce } from './client-authorities.ts';

/**
 * Authenticates users named by a proxy. Only clients with a certificate of the proxy's authorities are trusted; for
 * others the headers do not exist.
 */
export async function requestHeaderAuthenticator(
  context: Pick<AuthenticatorContext, 'config' | 'ownAuthority' | 'clock' | 'readFile'>,
): Promise<Authenticator | undefined> {
  const { clock, config } = context;
  const { requestHeader } = config;
  if (requestHeader.clientCaFile === undefined) return undefined;
  const authorities = await ClientAuthorities.ofFile(requestHeader.clientCaFile, context);
  if (requestHeader.allowedNames.length === 0) await checkOverlap(authorities, context);
  const authenticatorOf = (lists: HeaderLists): Authenticator => {
    const users = usersOf(lists);
    const allowed = new Set(lists.allowedNames);
    const mayTell = readOnce({
      authorities,
      clock,
      read: ({ subject }) => allowed.size === 0 || allowed.has(namedParts(subject.parts, commonNameOid).at(-1) ?? ''),
    });
    return {
      authenticate(credentials) {
        const may = mayTell(credentials);
        if (may === false) throw unauthorized();
        return may === undefined ? undefined : users(credentials);
      },
    };
  };
  let current = authenticatorOf(requestHeader);
  if (requestHeader.listsFile !== undefined) {
    await context.readFile(requestHeader.listsFile, (text) => {
      // Written by this server.
      current = authenticatorOf(JSON.parse(text) as HeaderLists);
    });
  }
  return { authenticate: (credentials) => current.authenticate(credentials) };
}

/** Prevents ordinary client certificates from acting as the proxy. Throws a ConfigError. */
async function checkOverlap(
  authorities: ClientAuthorities,
  { config, ownAuthority, readFile }: Pick<AuthenticatorContext, 'config' | 'ownAuthority' | 'readFile'>,
): Promise<void> {
  const { clientCaFile } = config;
  const others = [
    ...readAuthorities('the authority of this server', ownAuthority),
    ...(clientCaFile === undefined ? [] : readAuthorities(clientCaFile, await readFile(clientCaFile))),
  ];
  if (!authorities.includes(others)) return;
  throw new ConfigError(
    '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users',
  );
}

function usersOf(config: HeaderLists): (credentials: Credentials) => Identity | undefined {
  const [usernames, uids, groups, prefixes] = (
    ['usernameHeaders', 'uidHeaders', 'groupHeaders', 'extraHeaderPrefixes'] as const
  ).map((field) => config[field].map((name) => name.toLowerCase()));
  return (credentials) => {
    const first = (names: readonly string[] = []): string =>
      names.map((name) => valuesOf(credentials, name)[0] ?? '').find((value) => value !== '') ?? '';
    const name = first(usernames);
    if (name === '') return undefined;
    const named = (groups ?? []).flatMap((header) => valuesOf(credentials, header)).filter((value) => value !== '');
    return { user: { name, uid: first(uids), groups: named, extra: extraOf(credentials, prefixes ?? []) } };
  };
}

function valuesOf(credentials: Credentials, name: string): readonly string[] {
  return credentials.headersLike(name).flatMap(([header, value]) => (header === name ? [headerText(value)] : []));
}

function extraOf(credentials: Credentials, prefixes: readonly string[]): Identity['user']['extra'] {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (const [header, value] of credentials.headersLike(prefix)) {
      const key = unescapedKey(header.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), headerText(value)]);
    }
  }
  return Object.fromEntries(extra);
}
