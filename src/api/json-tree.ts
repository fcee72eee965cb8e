import { type JsonObject, type JsonValue, setOwn } from './json.ts';

/** JSON as it was written: members in order, duplicates among them, numbers as text. What `JSON.parse` does not tell. */
export type JsonTree = null | boolean | string | JsonNumber | JsonTree[] | JsonMembers;

/** A number literal. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The members of a JSON object: `keys[i]` has `values[i]`. */
export class JsonMembers {
  readonly keys: readonly string[];
  readonly values: readonly JsonTree[];

  constructor(keys: readonly string[], values: readonly JsonTree[]) {
    this.keys = keys;
    this.values = values;
  }
}

/** A parsed document for decoders: plain data, and the tree behind it where plain data do not suffice. */
export interface JsonSource {
  readonly value: JsonValue;
  /** `value` tells all that was written: no duplicates, no number that plain data would change. */
  readonly faithful: boolean;
  /** Made on demand: only errors, duplicates and odd numbers need it. */
  tree(): JsonTree;
}

/** Plain data as a source. */
export function plainSource(value: JsonValue): JsonSource {
  return { value, faithful: true, tree: () => treeOf(value) };
}

function treeOf(value: JsonValue): JsonTree {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return new JsonNumber(String(value));
  if (Array.isArray(value)) return value.map(treeOf);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return new JsonMembers(
    keys,
    keys.map((key) => treeOf(value[key] ?? null)),
  );
}

/** Plain data of a tree: the last of duplicates wins, integers that doubles do not hold become BigInt. */
export function plainOf(tree: JsonTree): JsonValue {
  if (tree instanceof JsonNumber) return plainNumber(tree.text);
  if (tree instanceof JsonMembers) {
    const object: JsonObject = {};
    for (const [i, key] of tree.keys.entries()) setOwn(object, key, plainOf(tree.values[i] ?? null));
    return object;
  }
  return Array.isArray(tree) ? tree.map(plainOf) : tree;
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** Integers of 64 bits are kept exactly; what has a fraction or an exponent, or is larger, is a double. */
export function plainNumber(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || /[.eE]/.test(text)) return value;
  const integer = BigInt(text);
  return integer >= minInt64 && integer <= maxInt64 ? integer : value;
}
