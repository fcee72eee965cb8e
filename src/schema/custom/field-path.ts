import { childPath, keyPath } from '../../api/errors/field-error.ts';
import { hasProperties, type JsonSchema, propertyOf, schemaIn } from './json-schema.ts';

/** Thrown for paths that do not resolve. */
export class FieldPathError extends Error {
  readonly code = 'FIELD_PATH';
}

/** The target of a path. */
export interface ResolvedPath {
  /** `spec.a[b]` */
  readonly path: string;
  /** First segment of the path. */
  readonly root: string;
  /** Undefined if unknown to the schema. */
  readonly schema: JsonSchema | undefined;
}

/** Resolves `.spec.a['b.c']` through the properties and maps of a schema. Throws FieldPathError. */
export function resolveFieldPath(
  text: string,
  root: JsonSchema,
  { allowArrayNotation }: { readonly allowArrayNotation: boolean },
): ResolvedPath {
  const tokens = tokensOf(text)[Symbol.iterator]();
  const next = (): string => {
    const { value } = tokens.next();
    if (value === undefined) throw new FieldPathError('unexpected end of JSON path');
    return value;
  };
  let at: ResolvedPath = { path: '', root: '', schema: root };
  for (const token of { [Symbol.iterator]: () => tokens }) {
    if (token === '.') at = step(at, next());
    else if (token === '[') {
      if (!allowArrayNotation) throw new FieldPathError('array notation is not allowed');
      at = step(at, quotedName(next()));
      const end = next();
      if (end !== ']') throw new FieldPathError(`expected ] but got ${end}`);
    } else throw new FieldPathError(`expected [ or . but got: ${token}`);
  }
  return at;
}

/** Delimiters, names, and quoted names, in which delimiters have no meaning. */
function tokensOf(text: string): readonly string[] {
  return text.match(/[.[\]]|'(?:[^']|(?<=\\)')*(?:'|$)|[^.[\]']?[^.[\]]*/g)?.filter((token) => token !== '') ?? [];
}

function quotedName(token: string): string {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    throw new FieldPathError(`expected single quoted string but got ${token}`);
  }
  return token.slice(1, -1).replace(/\\./gs, (escape) => {
    const meaning = escapes[escape.charAt(1)];
    if (meaning === undefined) throw new FieldPathError(`invalid string literal: invalid escape char ${escape}`);
    return meaning;
  });
}

const escapes: { readonly [letter: string]: string | undefined } = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

const nowhere = 'does not refer to a valid field';

function step({ path, root, schema }: ResolvedPath, name: string): ResolvedPath {
  if (schema === undefined) throw new FieldPathError(nowhere);
  const first = path === '' ? name : root;
  if (hasProperties(schema)) {
    const property = propertyOf(schema, name);
    if (property === undefined) throw new FieldPathError(nowhere);
    return { path: childPath(path, name), root: first, schema: property };
  }
  if (schema.additionalProperties === undefined) throw new FieldPathError(nowhere);
  return { path: keyPath(path, name), root: first, schema: schemaIn(schema.additionalProperties) };
}
