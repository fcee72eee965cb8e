import { type JsonObject, type JsonValue, setOwn } from './json.ts';
import { hasSpelledNumbers, spellingOf, SpelledNumbers } from './spelled-numbers.ts';
/** JSON as written: members in order with duplicates, numbers as text. What `JSON.parse` loses. */
export type JsonTree = null | boolean | string | JsonNumber | JsonTree[] | JsonMembers;

/** A number literal. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A range of the source text. */
interface TextRange {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The members of a JSON object: `keys[i]` has `values[i]`. */
export class JsonMembers {
  readonly keys: readonly string[];
  readonly values: readonly JsonTree[];
  readonly #source: TextRange | undefined;

  constructor(keys: readonly string[], values: readonly JsonTree[], source?: TextRange) {
    this.keys = keys;
    this.values = values;
    this.#source = source;
  }

  /** The source text; undefined for values that were not parsed from JSON. */
  get text(): string | undefined {
    return this.#source?.text.slice(this.#source.start, this.#source.end);
  }
}

/** A parsed document for decoders: plain data, backed by the tree where plain data are lossy. */
export interface JsonSource {
  readonly value: JsonValue;
  /** `value` is lossless: no duplicate keys, no number that changes in a double. */
  readonly faithful: boolean;
  /** Built on demand: only errors, duplicates and unusual numbers need it. */
  tree(): JsonTree;
}

/** Plain data as a source. */
export function plainSource(value: JsonValue): JsonSource {
  return { value, faithful: true, tree: () => treeOf(value) };
}

/** Plain data in place of data with spelled numbers. */
export function unspelledOf(value: JsonValue): JsonValue {
  return hasSpelledNumbers(value) ? plainOf(treeOf(value)) : value;
}

/** Plain data with spelled numbers as a source. */
export function spelledSource(value: JsonValue): JsonSource {
  return { ...plainSource(value), faithful: false };
}

/** The tree of plain data. */
function treeOf(root: JsonValue): JsonTree {
  const open: UnfilledTree[] = [];
  const tree = treeShell(root, open);
  // No recursion: data may be deep.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { names, trees } = next;
    const count = names === undefined ? next.values.length : names.length;
    for (let i = 0; i < count; i++) {
      const name = names?.[i] ?? '';
      const value = names === undefined ? next.values[i] : next.values[name];
      if (names !== undefined && value === undefined) continue;
      if (names !== undefined) next.keys.push(name);
      trees.push(treeShell(value ?? null, open));
    }
  }
  return tree;
}

/** A tree whose values are still to be built. */
type UnfilledTree =
  | { readonly values: readonly JsonValue[]; readonly names?: undefined; readonly trees: JsonTree[] }
  | {
      readonly values: Readonly<JsonObject>;
      /** The names of all members; undefined members get no `keys`. */
      readonly names: readonly string[];
      readonly keys: string[];
      readonly trees: JsonTree[];
    };

function treeShell(value: JsonValue, open: UnfilledTree[]): JsonTree {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  const spelling = spellingOf(value);
  if (spelling !== undefined) return new JsonNumber(spelling);
  if (typeof value === 'number' || typeof value === 'bigint')
    return new JsonNumber(Object.is(value, -0) ? '-0' : String(value));
  const trees: JsonTree[] = [];
  if (Array.isArray(value)) {
    open.push({ values: value, trees });
    return trees;
  }
  const keys: string[] = [];
  open.push({ values: value, names: Object.keys(value), keys, trees });
  return new JsonMembers(keys, trees);
}

/** Plain data of a tree: of duplicates the last wins, integers beyond doubles become BigInt. */
export function plainOf(tree: JsonTree, numberOf: NumberOf = plainNumber): JsonValue {
  const open: Unfilled[] = [];
  const root = plainShell(tree, open, numberOf);
  // No recursion: trees may be deep.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { items, object } = next;
    const values = items === undefined ? next.tree.values : next.tree;
    for (let i = 0; i < values.length; i++) {
      const value = plainShell(values[i] ?? null, open, numberOf);
      if (items !== undefined) items.push(value);
      else setOwn(object, next.tree.keys[i] ?? '', value);
    }
  }
  return root;
}

/** The plain value of a tree, in which numbers that would lose their spelling keep it. */
export function spelledOf(tree: JsonTree, numbers = new SpelledNumbers()): JsonValue {
  return plainOf(tree, (text) => {
    const plain = plainNumber(text);
    return String(plain) === text ? plain : numbers.of(text);
  });
}

/** Plain data with whole floats as they are spelled. */
export function floatsSpelledOf(tree: JsonTree): JsonValue {
  const numbers = new SpelledNumbers();
  return plainOf(tree, (text) => (isWholeFloatText(text) ? numbers.of(text) : plainNumber(text)));
}

/** Whether a number is a float in Go, and would be an integer in plain data. */
export function isWholeFloatText(text: string): boolean {
  return /[.eE]/.test(text) && Number.isSafeInteger(Number(text));
}

/** A list or an object whose contents are still to be built. */
type Unfilled =
  | { readonly tree: JsonTree[]; readonly items: JsonValue[]; readonly object?: undefined }
  | { readonly tree: JsonMembers; readonly object: JsonObject; readonly items?: undefined };

/** The value of a number literal. */
type NumberOf = (text: string) => JsonValue;

function plainShell(tree: JsonTree, open: Unfilled[], numberOf: NumberOf): JsonValue {
  if (tree instanceof JsonNumber) return numberOf(tree.text);
  if (tree instanceof JsonMembers) {
    const object: JsonObject = {};
    open.push({ tree, object });
    return object;
  }
  if (!Array.isArray(tree)) return tree;
  const items: JsonValue[] = [];
  open.push({ tree, items });
  return items;
}

/** The first list or object nested `depth` deep; undefined when nothing is. */
export function nodeAtDepth(tree: JsonTree, depth: number): JsonMembers | readonly JsonTree[] | undefined {
  let level = [tree].filter(isCollection);
  for (let i = 0; i < depth && level.length > 0; i++) {
    level = level.flatMap((node) => (node instanceof JsonMembers ? node.values : node).filter(isCollection));
  }
  return level[0];
}

/** The first number that does not fit a double, as written. */
export function hugeNumberIn(tree: JsonTree): string | undefined {
  const waiting = [tree];
  // No recursion: trees may be deep.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next instanceof JsonNumber && !Number.isFinite(Number(next.text))) return next.text;
    const inside = next instanceof JsonMembers ? next.values : Array.isArray(next) ? next : [];
    for (let i = inside.length - 1; i >= 0; i--) {
      const item = inside[i] ?? null;
      if (typeof item === 'object' && item !== null) waiting.push(item);
    }
  }
  return undefined;
}

function isCollection(tree: JsonTree): tree is JsonMembers | JsonTree[] {
  return tree instanceof JsonMembers || Array.isArray(tree);
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
/** Including the sign; longer ones are out of range, as JSON has no leading zeros. */
const maxInt64Characters = 20;

/**
 * 64-bit integers are exact; numbers with a fraction or exponent, and larger ones, are doubles. Only doubles have a
 * negative zero.
 */
export function plainNumber(text: string): number | bigint {
  if (text === '-0') return 0;
  const value = Number(text);
  if (Number.isSafeInteger(value) || text.length > maxInt64Characters || /[.eE]/.test(text)) return value;
  const integer = BigInt(text);
  return integer >= minInt64 && integer <= maxInt64 ? integer : value;
}
