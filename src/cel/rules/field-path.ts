import { getOwn } from '../../api/json.ts';
import { type JsonSchema, schemaIn } from '../../schema/custom/json-schema.ts';

/** What is wrong with the path of a field, `.spec.ports` or `['a b']`. */
export class FieldPathError extends Error {
  override readonly name = 'FieldPathError';
  readonly code = 'cel-field-path';
}

export interface FieldPathOptions {
  /** Whether names in brackets are allowed. */
  readonly brackets: boolean;
}

/** The path as paths of fields are written, `spec.ports` or `map[key]`, of a field that a schema has. Throws FieldPathError. */
export function validFieldPath(path: string, schema: JsonSchema, { brackets }: FieldPathOptions): string {
  const tokens = tokensOf(path);
  let place: Place = { path: '', schema };
  for (let token = tokens.next(); token.done !== true; token = tokens.next()) {
    if (token.value === '.') {
      place = step(place, expectedIn(tokens));
    } else if (token.value === '[') {
      if (!brackets) throw new FieldPathError('array notation is not allowed');
      place = step(place, unquoted(expectedIn(tokens)));
      const closing = expectedIn(tokens);
      if (closing !== ']') throw new FieldPathError(`expected ] but got ${closing}`);
    } else {
      throw new FieldPathError(`expected [ or . but got: ${token.value}`);
    }
  }
  return place.path;
}

interface Place {
  readonly path: string;
  readonly schema: JsonSchema | undefined;
}

function step({ path, schema }: Place, name: string): Place {
  if (schema?.properties !== undefined) {
    const property = getOwn(schema.properties, name);
    if (property === undefined) throw new FieldPathError('does not refer to a valid field');
    return { path: path === '' ? name : `${path}.${name}`, schema: property };
  }
  if (schema?.additionalProperties === undefined) throw new FieldPathError('does not refer to a valid field');
  return { path: `${path}[${name}]`, schema: schemaIn(schema.additionalProperties) };
}

const delimiters = new Set(['.', '[', ']']);

/** Delimiters, texts in single quotes, and what is between them. */
function* tokensOf(path: string): Generator<string, undefined> {
  let at = 0;
  while (at < path.length) {
    const end = tokenEnd(path, at);
    yield path.slice(at, end);
    at = end;
  }
  return undefined;
}

function tokenEnd(path: string, at: number): number {
  const first = path.charAt(at);
  if (delimiters.has(first)) return at + 1;
  let end = at + 1;
  if (first === "'") {
    while (end < path.length && (path[end] !== "'" || path[end - 1] === '\\')) end++;
    return Math.min(end + 1, path.length);
  }
  while (end < path.length && !delimiters.has(path.charAt(end))) end++;
  return end;
}

function expectedIn(tokens: Generator<string, undefined>): string {
  const { value } = tokens.next();
  if (value === undefined) throw new FieldPathError('unexpected end of JSON path');
  return value;
}

const escapes = new Map(Object.entries({ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }));

function unquoted(token: string): string {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    throw new FieldPathError(`expected single quoted string but got ${token}`);
  }
  let wrong: string | undefined;
  const text = token.slice(1, -1).replace(/\\./gu, (escape) => {
    const meant = escapes.get(escape.slice(1));
    if (meant !== undefined) return meant;
    if (escape !== "\\'" && escape !== '\\\\') wrong = escape;
    return escape.slice(1);
  });
  if (wrong !== undefined) throw new FieldPathError(`invalid string literal: invalid escape char ${wrong}`);
  return text;
}
