import { createHash } from 'node:crypto';
import type { Authenticator, Identity, PresentedToken } from '../api/contracts/authentication.ts';
import { ConfigError } from '../api/errors/config-error.ts';
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
  for (const { line, columns } of csvRecords(text)) {
    const [token = '', name = '', uid, groups] = columns;
    if (uid === undefined) {
      throw new TokenFileError(`token file line ${line}: wants at least 3 columns (token, user name, user uid)`);
    }
    // The reference, too, ignores such lines.
    if (token === '') continue;
    identities.set(hash(token), { user: { name, uid, groups: groups?.split(',') ?? [], extra: {} } });
  }
  return identities;
}

interface CsvRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  readonly columns: readonly string[];
}

/** RFC 4180, without empty lines. As in Go, blanks are part of a column, and quotes are only around whole columns. */
function* csvRecords(file: string): Generator<CsvRecord> {
  const text = file.replaceAll('\r\n', '\n').replace(/\r$/, '');
  const column = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/y;
  let [line, columns]: [number, string[]] = [1, []];
  let nextLine = 1;
  while (column.lastIndex < text.length || columns.length > 0) {
    const match = column.exec(text);
    if (match === null) throw new TokenFileError(`token file line ${nextLine}: bare or unclosed quote`);
    const [whole, quoted, plain = '', end] = match;
    columns.push(quoted?.replaceAll('""', '"') ?? plain);
    nextLine += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (whole !== '\n' || columns.length > 1) yield { line, columns };
    [line, columns] = [nextLine, []];
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
