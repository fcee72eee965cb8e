import { setRawText } from '../api/json/json-raw.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import {
  hugeNumberIn,
  isWholeFloatText,
  JsonMembers,
  JsonNumber,
  type JsonSource,
  type JsonTree,
  plainNumber,
  plainOf,
} from '../api/json/json-tree.ts';
import { joinNested } from '../api/text/join-nested.ts';
import { quoteJson } from '../api/json/json-text.ts';
import { noteFloat } from '../api/json/written-notes.ts';
import { DecodeError } from './decode-errors.ts';

// Values that objects keep without a schema: RawExtension, free-form JSON, unknown fields.

/**
 * Plain data of any depth, noting floats and reporting the paths of duplicate keys; the last one wins. Iterative: what
 * is pruned afterwards may be deep.
 */
export function plainNoting(
  root: JsonTree,
  duplicate: (path: string) => void,
  numberOf: (text: string) => number | bigint = plainNumber,
): JsonValue {
  const whole: JsonValue[] = [];
  const waiting: Part[] = [{ tree: root, path: '', list: whole }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { tree, path, list, object, key } = next;
    const inside: Part[] = [];
    const value = tree instanceof JsonNumber ? numberOf(tree.text) : shellOf(tree, path, inside);
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
  if (!(tree instanceof JsonMembers)) return plainOf(tree);
  const object: JsonObject = {};
  for (const [index, key] of tree.keys.entries()) {
    inside.push({ tree: tree.values[index] ?? null, path: path === '' ? key : `${path}.${key}`, object, key });
  }
  return object;
}

/** The plain data of a document, noting floats. */
export function valueNotingFloats(source: JsonSource): JsonValue {
  if (source.faithful) return source.value;
  return plainNoting(source.tree(), () => undefined);
}

/** Whether a number is a float in Go, and an integer in plain data. */
export function isWholeFloat(tree: JsonTree): boolean {
  return tree instanceof JsonNumber && isWholeFloatText(tree.text);
}

/** Keeps the original text, like the reference. */
export function rawValue(tree: JsonTree): JsonValue {
  const value = plainOf(tree);
  if (tree instanceof JsonMembers && isJsonObject(value)) setRawText(value, tree.text ?? treeText(tree));
  return value;
}

/** The JSON of a tree that was not parsed from JSON. */
function treeText(root: JsonTree): string {
  return joinNested<JsonTree>(root, (tree) => {
    if (tree instanceof JsonNumber) return [tree.text];
    if (Array.isArray(tree)) return ['[', ...tree.flatMap((item, i) => [comma(i), { inner: item }]), ']'];
    if (!(tree instanceof JsonMembers)) return [typeof tree === 'string' ? quoteJson(tree) : String(tree)];
    const { keys, values } = tree;
    return ['{', ...keys.flatMap((key, i) => [`${comma(i)}${quoteJson(key)}:`, { inner: values[i] ?? null }]), '}'];
  });
}

function comma(index: number): string {
  return index === 0 ? '' : ',';
}

/** The error for the first number beyond a double. */
export function hugeNumber(tree: JsonTree): DecodeError | undefined {
  const text = hugeNumberIn(tree);
  return text === undefined
    ? undefined
    : new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`);
}

/** A number whose zero has no sign. */
export function unsignedNumber(text: string): number | bigint {
  const value = plainNumber(text);
  return value === 0 ? 0 : value;
}

/** The plain data of a document whose floats need no notes. */
export function valueWithoutNegativeZeros(source: JsonSource): JsonValue {
  if (source.faithful) return source.value;
  return plainOf(source.tree(), unsignedNumber);
}
