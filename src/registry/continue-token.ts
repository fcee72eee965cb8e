import { isJsonObject } from '../api/json.ts';
import { badRequest } from '../api/status-errors.ts';

/** Where a list goes on: at `startKey` of the state at `revision`; a negative revision means the latest state. */
export interface ContinuePoint {
  readonly startKey: string;
  readonly revision: number;
}

const tokenVersion = 'meta.k8s.io/v1';

/** A token that goes on at `startKey`, which starts with `prefix`. */
export function encodeContinue({ startKey, revision }: ContinuePoint, prefix: string): string {
  const token = { v: tokenVersion, rv: revision, start: startKey.slice(prefix.length) };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** The point a token names; it never leaves the keys below `prefix`. */
export function decodeContinue(token: string, prefix: string): ContinuePoint {
  const { v, rv, start } = readToken(token);
  if (v !== tokenVersion) {
    throw invalidToken(`: server does not recognize this encoded version ${typeof v === 'string' ? v : ''}`);
  }
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0) {
    throw invalidToken(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  if (typeof start !== 'string' || start === '')
    throw invalidToken(': encoded start key empty (version meta.k8s.io/v1)');
  const relative = start.startsWith('/') ? start.slice(1) : start;
  // Nothing may climb out of the prefix by the way of `..`, `.` or empty segments.
  if (relative.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw invalidToken(`: ${start}`);
  }
  return { startKey: prefix + relative, revision: rv };
}

function readToken(token: string): { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown } {
  if (!/^[A-Za-z0-9_-]*$/.test(token)) {
    const at = token.search(/[^A-Za-z0-9_-]/);
    throw invalidToken(`: illegal base64 data at input byte ${at}`);
  }
  const bytes = Buffer.from(token, 'base64url');
  const text = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Told below with the rest.
  }
  const first = bytes.toString('latin1', 0, 1);
  throw invalidToken(
    first === '' ? ': unexpected end of JSON input' : `: invalid character '${first}' looking for beginning of value`,
  );
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}
