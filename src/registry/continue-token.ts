import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { badRequest } from '../api/status-errors.ts';
import { findSyntaxError } from '../codec/json-syntax.ts';

/** Where a list continues: at `startKey` in the state at `revision`; a negative revision means the latest state. */
export interface ContinuePoint {
  readonly startKey: string;
  readonly revision: number;
}

const tokenVersion = 'meta.k8s.io/v1';

/** A token for `startKey`, which starts with `prefix`. */
export function encodeContinue({ startKey, revision }: ContinuePoint, prefix: string): string {
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

interface Token {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
}

/** Errors match Go's decoders. */
function readToken(token: string): Token {
  const bytes = decodeBase64(token);
  const broken = findSyntaxError(bytes);
  if (broken !== undefined) throw invalidToken(`: ${broken.message}`);
  // Syntax errors were detected above.
  const value = JSON.parse(bytes.toString('utf8')) as JsonValue;
  if (value === null) return { v: '', rv: 0, start: '' };
  if (!isJsonObject(value)) throw cannotUnmarshal(value, 'value of type storage.continueToken');
  const field = (name: string): JsonValue | undefined => fieldOf(value, name);
  return { v: stringOf(field('v'), 'v'), rv: integerOf(field('rv'), 'rv'), start: stringOf(field('start'), 'start') };
}

function decodeBase64(token: string): Buffer {
  const bad = token.search(/[^A-Za-z0-9_-]/);
  // A single trailing character is not a byte.
  const at = bad !== -1 ? bad : token.length % 4 === 1 ? token.length - 1 : -1;
  if (at !== -1) throw invalidToken(`: illegal base64 data at input byte ${at}`);
  return Buffer.from(token, 'base64url');
}

/** Go matches names in any case; the last one wins. */
function fieldOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.entries(object).findLast(([key]) => key.toLowerCase() === name)?.[1] ?? undefined;
}

function stringOf(value: JsonValue | undefined, name: string): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') throw cannotUnmarshal(value, `struct field continueToken.${name} of type string`);
  return value;
}

function integerOf(value: JsonValue | undefined, name: string): number {
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw cannotUnmarshal(value, `struct field continueToken.${name} of type int64`);
}

function cannotUnmarshal(value: JsonValue, into: string): Error {
  const fraction = typeof value === 'number' && !Number.isInteger(value) ? ` ${value}` : '';
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return invalidToken(`: json: cannot unmarshal ${kind}${fraction} into Go ${into}`);
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}
