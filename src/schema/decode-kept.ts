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

/** Whether a value has more levels than later readers can handle. */
export function isTooDeep(tree: JsonTree): boolean {
  return nodeAtDepth(tree, maxKeptDepth) !== undefined;
}

export function keptPlain(tree: JsonTree): JsonValue {
  if (isTooDeep(tree)) throw tooDeep();
  return plainOf(tree);
}

/**
 * Plain data of any depth, noting floats and reporting the paths of duplicate keys; the last one wins. Iterative: what
 * is pruned afterwards may be deep.
 */
export function plainNoting(root: JsonTree, duplicate: (path: string) => void): JsonValue {
  const whole: JsonValue[] = [];
  const waiting: Part[] = [{ tree: root, path: '', list: whole }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { tree, path, list, object, key } = next;
    const inside: Part[] = [];
    const value = shellOf(tree, path, inside);
    if (list !== undefined) {
      if (isWholeFloat(tree)) noteFloat(list, list.length);
      list.push(value);
    } else {
      if (Object.hasOwn(object, key)) duplicate(path);
      setOwn(object, key, value);
      if (isWholeFloat(tree)) noteFloat(object, key);
    }
    for (const part of inside.toReversed()) waiting.push(part);
  }
  return whole[0] ?? null;
}

/** A part of a tree, and the list or object that its value becomes a part of. */
type Part = { readonly tree: JsonTree; readonly path: string } & (
  | { readonly list: JsonValue[]; readonly object?: undefined; readonly key?: undefined }
  | { readonly object: JsonObject; readonly key: string; readonly list?: undefined }
);

/** The value of a scalar; an empty list or object to be filled with the parts added to `inside`. */
function shellOf(tree: JsonTree, path: string, inside: Part[]): JsonValue {
  if (Array.isArray(tree)) {
    const list: JsonValue[] = [];
    for (const [index, item] of tree.entries()) inside.push({ tree: item, path: `${path}[${index}]`, list });
    return list;
  }
  if (!(tree instanceof JsonMembers)) return withoutNegativeZero(plainOf(tree));
  const object: JsonObject = {};
  for (const [index, key] of tree.keys.entries()) {
    inside.push({ tree: tree.values[index] ?? null, path: path === '' ? key : `${path}.${key}`, object, key });
  }
  return object;
}

/** The plain data of a document, noting floats. */
export function valueNotingFloats(source: JsonSource): JsonValue {
  if (source.faithful) return source.value;
  const tree = source.tree();
  if (isTooDeep(tree)) throw tooDeep();
  return plainNoting(tree, () => undefined);
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
