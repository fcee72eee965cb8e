import { createHash } from 'node:crypto';
import type { Authenticator, Identity, PresentedToken } from '../api/authentication.ts';
import { ConfigError } from '../api/config-error.ts';
import type { AuthenticatorContext } from './authenticator-context.ts';

/** An invalid token file. The message names the line, never the token. */
export class TokenFileError extends ConfigError {
  override readonly name = 'TokenFileError';
  override readonly code = 'TOKEN_FILE';
}

/** `--token-auth-file`; read once, as in the reference. */
export async function tokenFile({
  config,
  readFile,
}: AuthenticatorContext): Promise<Authenticator<PresentedToken> | undefined> {
  const { tokenAuthFile } = config;
  return tokenAuthFile === undefined ? undefined : tokenFileAuthenticator(await readFile(tokenAuthFile));
}

/**
 * Authenticates by static tokens. `text` is CSV of token, user name, user UID and, optionally, group names in one
 * quoted column (specification, "Static token file"). Only hashes of the tokens are kept.
 */
export function tokenFileAuthenticator(text: string): Authenticator<PresentedToken> {
  const identities = parseTokenFile(text);
  return { authenticate: ({ token }) => identities.get(hash(token)) };
}

function parseTokenFile(text: string): Map<string, Identity> {
  const identities = new Map<string, Identity>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [token = '', name = '', uid, groups = ''] = parseCsvLine(line, index + 1);
    if (uid === undefined) {
      throw new TokenFileError(`token file line ${index + 1}: wants at least 3 columns (token, user name, user uid)`);
    }
    if (token === '') throw new TokenFileError(`token file line ${index + 1}: empty token`);
    const names = groups === '' ? [] : groups.split(',').map((group) => group.trim());
    identities.set(hash(token), { user: { name, uid, groups: names, extra: {} } });
  }
  return identities;
}

/** Columns of one line: RFC 4180 without line breaks in quotes. */
function parseCsvLine(line: string, lineNumber: number): string[] {
  const columns: string[] = [];
  const column = /(?:\s*"((?:[^"]|"")*)"\s*|([^,"]*))(,|$)/y;
  for (;;) {
    const match = column.exec(line);
    if (match === null) throw new TokenFileError(`token file line ${lineNumber}: bare or unclosed quote`);
    columns.push(match[1]?.replaceAll('""', '"') ?? match[2]?.trim() ?? '');
    if (match[3] === '') return columns;
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
