import { setRawText } from '../api/json-raw.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import {
  hugeNumberIn,
  JsonMembers,
  JsonNumber,
  type JsonSource,
  type JsonTree,
  nodeAtDepth,
  plainOf,
} from '../api/json-tree.ts';
import { quoteJson } from '../api/json-text.ts';
import { noteFloat } from '../api/written-notes.ts';
import { DecodeError } from './decode-errors.ts';

// Values that objects keep without a schema: RawExtension, free-form JSON, unknown fields.

/** Later readers are recursive, so nesting is limited; the reference only limits its parser, at 10,000. */
export const maxKeptDepth = 2_500;

export function keptPlain(tree: JsonTree): JsonValue {
  if (nodeAtDepth(tree, maxKeptDepth) !== undefined) throw tooDeep();
  return plainOf(tree);
}

/** The same, noting floats and reporting the paths of duplicate keys; the last one wins. */
export function plainNoting(tree: JsonTree, duplicate: (path: string) => void): JsonValue {
  if (nodeAtDepth(tree, maxKeptDepth) !== undefined) throw tooDeep();
  const plain = (part: JsonTree, path: string): JsonValue => {
    if (Array.isArray(part)) {
      const list = part.map((item, index) => plain(item, `${path}[${index}]`));
      for (const [index, item] of part.entries()) if (isWholeFloat(item)) noteFloat(list, index);
      return list;
    }
    if (!(part instanceof JsonMembers)) return withoutNegativeZero(plainOf(part));
    const object: JsonObject = {};
    for (const [index, key] of part.keys.entries()) {
      const at = path === '' ? key : `${path}.${key}`;
      if (Object.hasOwn(object, key)) duplicate(at);
      const value = part.values[index] ?? null;
      setOwn(object, key, plain(value, at));
      if (isWholeFloat(value)) noteFloat(object, key);
    }
    return object;
  };
  return plain(tree, '');
}

/** The plain data of a document, noting floats. */
export function valueNotingFloats(source: JsonSource): JsonValue {
  return source.faithful ? source.value : plainNoting(source.tree(), () => undefined);
}

/** Whether a number is a float in Go, and an integer in plain data. */
export function isWholeFloat(tree: JsonTree): boolean {
  return tree instanceof JsonNumber && /[.eE]/.test(tree.text) && Number.isSafeInteger(Number(tree.text));
}

/** Keeps the original text, like the reference. */
export function rawValue(tree: JsonTree): JsonValue {
  const value = keptPlain(tree);
  if (tree instanceof JsonMembers && isJsonObject(value)) setRawText(value, tree.text ?? treeText(tree));
  return value;
}

/** The JSON of a tree that was not parsed from JSON. */
function treeText(tree: JsonTree): string {
  if (tree instanceof JsonNumber) return tree.text;
  if (tree instanceof JsonMembers) {
    return `{${tree.keys.map((key, i) => `${quoteJson(key)}:${treeText(tree.values[i] ?? null)}`).join(',')}}`;
  }
  if (Array.isArray(tree)) return `[${tree.map(treeText).join(',')}]`;
  return typeof tree === 'string' ? quoteJson(tree) : String(tree);
}

export function tooDeep(): DecodeError {
  return new DecodeError('exceeded max depth');
}

/** The error for the first number beyond a double. */
export function hugeNumber(tree: JsonTree): DecodeError | undefined {
  const text = hugeNumberIn(tree);
  return text === undefined
    ? undefined
    : new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`);
}

export function withoutNegativeZero(value: JsonValue): JsonValue {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, withoutNegativeZero(value[key] ?? null));
  return copy;
}
