import { JsonMembers, JsonNumber, type JsonTree } from '../../../api/json/json-tree.ts';
import { parseJson } from '../../../codec/json.ts';
import { JsonSyntaxError } from '../../../codec/json-syntax.ts';
import { decodeExactly } from '../../../schema/decode-exact.ts';
import { DecodeError } from '../../../schema/decode-errors.ts';
import { hugeNumber } from '../../../schema/decode-kept.ts';
import type { Schema } from '../../../schema/schema.ts';

// JSON within values, such as an annotation. Problems are told in the words of Go's encoding/json.

/** Why the text is neither JSON of an object nor null. */
export function objectProblem(bytes: Uint8Array): string | undefined {
  try {
    const tree = parseJson(bytes).tree();
    if (tree !== null && !(tree instanceof JsonMembers)) return mismatch(tree, 'map[string]interface {}');
    return hugeNumber(tree)?.message;
  } catch (error) {
    return problemOf(error);
  }
}

type Read<T> = { readonly value: T } | { readonly problem: string };

/** An object of a schema, or why the text is none. */
export function readObject<T extends object>(text: string, schema: Schema): Read<T> {
  return attempt(() => decodeExactly(schema, parseJson(Buffer.from(text)).tree()).object as T); // read by its schema
}

/**
 * A list of objects of an internal type, whose fields have no names in JSON: those of Go stand for them, in any case.
 */
export function readInternalList<T extends object>(text: string, items: Schema): Read<readonly T[]> {
  return attempt(() => {
    const tree = parseJson(Buffer.from(text)).tree();
    if (tree === null) return [];
    if (!Array.isArray(tree)) throw new DecodeError(mismatch(tree, `[]${items.goType}`));
    return tree.map((item) => readInternal<T>(item, items));
  });
}

function readInternal<T extends object>(tree: JsonTree, schema: Schema): T {
  if (tree === null) return {} as T; // all fields are optional
  if (!(tree instanceof JsonMembers)) throw new DecodeError(mismatch(tree, schema.goType));
  const names = new Map([...(schema.structure?.fields.keys() ?? [])].map((name) => [name.toLowerCase(), name]));
  const keys = tree.keys.map((key) => names.get(key.toLowerCase()) ?? key);
  const { object } = decodeExactly(schema, new JsonMembers(keys, tree.values));
  const members = Object.entries(object).map(([key, value]) => [key.charAt(0).toLowerCase() + key.slice(1), value]);
  return Object.fromEntries(members) as T; // read by its schema
}

function attempt<T>(read: () => T): Read<T> {
  try {
    return { value: read() };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (error instanceof JsonSyntaxError || error instanceof DecodeError) return error.message;
  throw error;
}

function mismatch(tree: JsonTree, goType: string): string {
  return `json: cannot unmarshal ${wordOf(tree)} into Go value of type ${goType}`;
}

function wordOf(tree: JsonTree): string {
  if (Array.isArray(tree)) return 'array';
  if (tree instanceof JsonMembers) return 'object';
  return tree instanceof JsonNumber ? 'number' : typeof tree === 'boolean' ? 'bool' : 'string';
}
