import { type JsonObject, type JsonValue, setOwn } from './json.ts';
import { finish, type Work } from './turns.ts';

/** JSON as it was written: members in order, duplicates among them, numbers as text. What `JSON.parse` does not tell. */
export type JsonTree = null | boolean | string | JsonNumber | JsonTree[] | JsonMembers;

/** A number literal. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A part of a text. */
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

  /** The JSON it was read from; undefined for what was not read from JSON. */
  get text(): string | undefined {
    return this.#source?.text.slice(this.#source.start, this.#source.end);
  }
}

/** A parsed document for decoders: plain data, and the tree behind it where plain data do not suffice. */
export interface JsonSource {
  readonly value: JsonValue;
  /** `value` tells all that was written: no duplicates, no number that plain data would change. */
  readonly faithful: boolean;
  /** Made on demand: only errors, duplicates and odd numbers need it. */
  tree(): JsonTree;
  /** The same, pausing now and then; absent where the tree is there already. */
  readTree?(): Work<JsonTree>;
}

/** Plain data as a source. */
export function plainSource(value: JsonValue): JsonSource {
  return { value, faithful: true, tree: () => treeOf(value) };
}

function treeOf(value: JsonValue): JsonTree {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint')
    return new JsonNumber(Object.is(value, -0) ? '-0' : String(value));
  if (Array.isArray(value)) return value.map(treeOf);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return new JsonMembers(
    keys,
    keys.map((key) => treeOf(value[key] ?? null)),
  );
}

/** Plain data of a tree: the last of duplicates wins, integers that doubles do not hold become BigInt. */
export function plainOf(tree: JsonTree): JsonValue {
  return finish(readPlain(tree));
}

/** Members and items that are copied without a pause. */
const copiedPerPause = 1_000;

/** The same, pausing now and then. */
export function* readPlain(tree: JsonTree): Work<JsonValue> {
  const open: Unfilled[] = [];
  const root = plainShell(tree, open);
  let copied = 0;
  // No recursion: trees may be deep.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { items, object } = next;
    const values = items === undefined ? next.tree.values : next.tree;
    for (let i = 0; i < values.length; i++) {
      if (++copied % copiedPerPause === 0) yield;
      const value = plainShell(values[i] ?? null, open);
      if (items !== undefined) items.push(value);
      else setOwn(object, next.tree.keys[i] ?? '', value);
    }
  }
  return root;
}

/** A list or an object whose contents are still to be made. */
type Unfilled =
  | { readonly tree: JsonTree[]; readonly items: JsonValue[]; readonly object?: undefined }
  | { readonly tree: JsonMembers; readonly object: JsonObject; readonly items?: undefined };

function plainShell(tree: JsonTree, open: Unfilled[]): JsonValue {
  if (tree instanceof JsonNumber) return plainNumber(tree.text);
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

/** The first list or object that stands inside of `depth` others; undefined when nothing nests so deep. */
export function nodeAtDepth(tree: JsonTree, depth: number): JsonMembers | readonly JsonTree[] | undefined {
  let level = [tree].filter(isCollection);
  for (let i = 0; i < depth && level.length > 0; i++) {
    level = level.flatMap((node) => (node instanceof JsonMembers ? node.values : node).filter(isCollection));
  }
  return level[0];
}

/** The first number that no double holds, as it was written. */
export function hugeNumberIn(tree: JsonTree): string | undefined {
  if (tree instanceof JsonNumber) return Number.isFinite(Number(tree.text)) ? undefined : tree.text;
  const inside = tree instanceof JsonMembers ? tree.values : Array.isArray(tree) ? tree : [];
  for (const item of inside) {
    const found = hugeNumberIn(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isCollection(tree: JsonTree): tree is JsonMembers | JsonTree[] {
  return tree instanceof JsonMembers || Array.isArray(tree);
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
/** With its sign; longer ones are larger, for JSON has no leading zeros. */
const maxInt64Characters = 20;

/** Integers of 64 bits are kept exactly; what has a fraction or an exponent, or is larger, is a double. */
export function plainNumber(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || text.length > maxInt64Characters || /[.eE]/.test(text)) return value;
  const integer = BigInt(text);
  return integer >= minInt64 && integer <= maxInt64 ? integer : value;
}
