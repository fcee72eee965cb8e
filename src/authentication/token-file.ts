import { createHash } from 'node:crypto';
import type { Authenticator, Credentials } from '../api/authentication.ts';
import { unauthorized } from '../api/status-errors.ts';
import type { UserInfo } from '../api/user.ts';
import { readBearer } from './bearer-token.ts';

/** A token file that cannot be read as one. The message names the line, never the token. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

/**
 * Users by static tokens. `text` is CSV of token, user name, user uid and, optionally, group names in one quoted column
 * (specification, "Static token file"). Only hashes of the tokens are kept.
 */
export function tokenFileAuthenticator(text: string): Authenticator {
  const users = parseTokenFile(text);
  return {
    authenticate(credentials: Credentials): UserInfo | undefined {
      const { token } = readBearer(credentials.authorization);
      if (token === undefined) return undefined;
      const user = users.get(hash(token));
      if (user === undefined) throw unauthorized();
      return user;
    },
  };
}

function parseTokenFile(text: string): Map<string, UserInfo> {
  const users = new Map<string, UserInfo>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [token = '', name = '', uid, groups = ''] = parseCsvLine(line, index + 1);
    if (uid === undefined) {
      throw new TokenFileError(`token file line ${index + 1}: wants at least 3 columns (token, user name, user uid)`);
    }
    if (token === '') throw new TokenFileError(`token file line ${index + 1}: empty token`);
    users.set(hash(token), {
      name,
      uid,
      groups: groups === '' ? [] : groups.split(',').map((g) => g.trim()),
      extra: {},
    });
  }
  return users;
}

/** Columns of one line, RFC 4180 without line breaks in quotes. */
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
