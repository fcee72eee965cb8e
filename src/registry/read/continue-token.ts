import type { Int64 } from '../../api/values/int64.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import { decodeUtf8 } from '../../codec/decode-utf8.ts';
import { goExactInt64, goStruct, goText } from '../../codec/go/go-types.ts';
import { decodeGo, GoDecodeError, goDialects, type GoValue } from '../../codec/go/go-values.ts';
import { findSyntaxError } from '../../codec/json-syntax.ts';
import { parseJsonTree } from '../../codec/json-tree-parser.ts';

/** Where a list continues: at `startKey` in the state at `revision`; a negative revision means the latest state. */
export interface ContinuePoint {
  readonly startKey: string;
  readonly revision: Int64;
}

const tokenVersion = 'meta.k8s.io/v1';

/** A token for `startKey`, which starts with `prefix`. */
export function encodeContinue(
  { startKey, revision }: ContinuePoint & { readonly revision: number },
  prefix: string,
): string {
  // The token keeps the trailing slash of the prefix.
  const token = { v: tokenVersion, rv: revision, start: startKey.slice(prefix.length - 1) };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** Decodes a token; the result is always below `prefix`. */
export function decodeContinue(token: string, prefix: string): ContinuePoint {
  const { v, rv, start } = readToken(token);
  if (v !== tokenVersion) throw invalidToken(`: server does not recognize this encoded version ${v}`);
  if (rv === 0) throw invalidToken(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (start === '') throw invalidToken(': encoded start key empty (version meta.k8s.io/v1)');
  const relative = start.startsWith('/') ? start.slice(1) : start;
  // `..`, `.` and empty segments could escape the prefix.
  if (relative !== '' && relative.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw invalidToken(`: ${start}`);
  }
  return { startKey: prefix + relative, revision: rv };
}

const goToken = goStruct('storage.continueToken', { v: goText(), rv: goExactInt64, start: goText() });

/** Errors match Go's decoders. */
function readToken(token: string): GoValue<typeof goToken> {
  const bytes = decodeBase64(token);
  const broken = findSyntaxError(bytes);
  if (broken !== undefined) throw invalidToken(`: ${broken.message}`);
  try {
    return decodeGo(goToken, parseJsonTree(decodeUtf8(bytes)), goDialects.standard);
  } catch (error) {
    throw error instanceof GoDecodeError ? invalidToken(`: ${error.message}`) : error;
  }
}

function decodeBase64(token: string): Buffer {
  const bad = token.search(/[^A-Za-z0-9_-]/);
  // A single trailing character is not a byte.
  const at = bad !== -1 ? bad : token.length % 4 === 1 ? token.length - 1 : -1;
  if (at !== -1) throw invalidToken(`: illegal base64 data at input byte ${at}`);
  return Buffer.from(token, 'base64url');
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}
