import { type Int64, narrowed } from '../../api/values/int64.ts';
import { JsonMembers, JsonNumber, type JsonTree } from '../../api/json/json-tree.ts';
import { type GoDecoding, type GoType, type GoValue, jsonWord } from './go-values.ts';

export function goText(name = 'string'): GoType<string> {
  return scalar(name, '', (tree) => (typeof tree === 'string' ? tree : undefined));
}

export const goFlag: GoType<boolean> = scalar('bool', false, (tree) => (typeof tree === 'boolean' ? tree : undefined));

/** A signed integer of any size; what does not fit is told with its digits. */
export const goExactInt64: GoType<Int64> = integer('int64', 64, narrowed);

function integer<Value extends Int64>(name: string, bits: 32 | 64, valueOf: (whole: bigint) => Value): GoType<Value> {
  const most = 2n ** BigInt(bits - 1);
  const zero = valueOf(0n);
  return {
    name,
    zero,
    isUnmovedByNull: true,
    read(tree, decoding) {
      if (!(tree instanceof JsonNumber)) return mismatched(this, tree, decoding);
      const whole = /^-?\d+$/.test(tree.text) && tree.text.length <= 20 ? BigInt(tree.text) : undefined;
      if (whole !== undefined && whole >= -most && whole < most) return valueOf(whole);
      decoding.mismatch(name, tree, `number ${tree.text}`);
      return zero;
    },
  };
}

/** A `json.RawMessage`: anything, as written. */
export const goRaw: GoType<JsonTree | undefined> = {
  name: 'json.RawMessage',
  zero: undefined,
  readsNull: true,
  read: (tree) => tree,
};

/** A pointer: null leaves it empty. */
export function goPointer<Value>(type: GoType<Value>): GoType<Value | undefined> {
  return { name: type.name, zero: undefined, read: (tree, decoding) => type.read(tree, decoding) };
}

export function goList<Value>(item: GoType<Value>, name = `[]${item.name}`): GoType<readonly Value[]> {
  return {
    name,
    zero: [],
    read(tree, decoding) {
      if (!Array.isArray(tree)) return mismatched(this, tree, decoding);
      return tree.map((each) => decoding.value(item, each));
    },
  };
}

/** Keys are strings. */
export function goMap<Value>(
  item: GoType<Value>,
  name = `map[string]${item.name}`,
): GoType<ReadonlyMap<string, Value>> {
  return {
    name,
    zero: new Map(),
    read(tree, decoding) {
      if (!(tree instanceof JsonMembers)) return mismatched(this, tree, decoding);
      checkRepeats(tree, decoding);
      return new Map(tree.keys.map((key, index) => [key, decoding.value(item, tree.values[index] ?? null)]));
    },
  };
}

type Fields = { readonly [field: string]: GoType<unknown> };

/** What a struct with these fields holds. */
export type GoStruct<Described extends Fields> = { readonly [name in keyof Described]: GoValue<Described[name]> };

/** `fields`: by their names in JSON. */
export function goStruct<Described extends Fields>(name: string, fields: Described): GoType<GoStruct<Described>> {
  // Anonymous structs have none.
  const short = name.startsWith('struct {') ? '' : name.slice(name.lastIndexOf('.') + 1);
  const folded = new Map(Object.keys(fields).map((field) => [foldName(field), field]));
  const fieldOf = (key: string, { dialect }: GoDecoding): string | undefined => {
    if (Object.hasOwn(fields, key)) return key;
    return dialect.foldsNames ? folded.get(foldName(key)) : undefined;
  };
  const zero: Record<string, unknown> = {};
  for (const [field, type] of Object.entries(fields)) zero[field] = type.zero;
  return {
    name,
    isUnmovedByNull: true,
    zero: zero as GoStruct<Described>, // has the zero values of exactly these fields
    read(tree, decoding) {
      if (!(tree instanceof JsonMembers)) return mismatched(this, tree, decoding);
      checkRepeats(tree, decoding);
      const value = { ...zero };
      for (const [index, key] of tree.keys.entries()) {
        const field = fieldOf(key, decoding);
        const type = field === undefined ? undefined : fields[field];
        const item = tree.values[index] ?? null;
        if (field === undefined || type === undefined || (item === null && type.isUnmovedByNull === true)) continue;
        value[field] = decoding.field(short, field, type, item);
      }
      return value as GoStruct<Described>; // the same fields as above
    },
  };
}

/** A type with a decoder of its own, which returns its value or throws a GoDecodeError. */
export function goOwn<Value>(
  name: string,
  zero: Value,
  read: (tree: JsonTree, decoding: GoDecoding) => Value,
): GoType<Value> {
  return { name, zero, read, readsNull: true };
}

function scalar<Value>(name: string, zero: Value, valueOf: (tree: JsonTree) => Value | undefined): GoType<Value> {
  return {
    name,
    zero,
    isUnmovedByNull: true,
    read(tree, decoding) {
      return valueOf(tree) ?? mismatched(this, tree, decoding);
    },
  };
}

function mismatched<Value>({ name, zero }: GoType<Value>, tree: JsonTree, decoding: GoDecoding): Value {
  decoding.mismatch(name, tree, jsonWord(tree));
  return zero;
}

function checkRepeats({ keys }: JsonMembers, decoding: GoDecoding): void {
  if (!decoding.dialect.refusesRepeats) return;
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) decoding.end(`json: duplicate key '${key}' in object`);
    seen.add(key);
  }
}

/** Equal for names that differ in case only, as Unicode folds single characters. */
function foldName(name: string): string {
  return Array.from(name, (char) => {
    const folded = char.toLowerCase().toUpperCase();
    return folded.length === char.length ? folded : char;
  }).join('');
}
