import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import type { Schema, Structure } from './schema.ts';

/** The fields of disabled feature gates. */
export interface FieldsOff {
  /** The gate by definition name and field name. */
  readonly gates: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Definitions whose objects would change meaning without such a field: they are dropped as a whole. */
  readonly whole: ReadonlySet<string>;
  /** Definitions whose objects are dropped when nothing else is left in them. */
  readonly unlessEmpty: ReadonlySet<string>;
  /** Definitions of the kinds that drop the fields of a gate; other kinds, which embed the same types, keep them. */
  readonly droppedBy: ReadonlyMap<string, readonly string[]>;
}

/** Drops the fields of disabled gates from an object, except those of gates that `old` already uses. */
export type DropGatedFields = (object: JsonObject, old?: Readonly<JsonObject>) => void;

/** A field of a disabled gate in an object, or an enclosing one dropped with it. */
interface Use {
  readonly object: JsonObject;
  readonly field: string;
  readonly gate: string;
}

type Search = (value: JsonValue | undefined, uses: Use[]) => void;

/** Undefined if objects of the schema cannot have such fields. */
export function dropGatedFields(schema: Schema, all: FieldsOff): DropGatedFields | undefined {
  const off = { ...all, gates: gatesFor(schema, all) };
  const search = searchOf(schema, off, new Map());
  if (search === undefined) return undefined;
  const usesIn = (object: JsonObject): readonly Use[] => {
    const uses: Use[] = [];
    search(object, uses);
    return uses;
  };
  return (object, old) => {
    const uses = usesIn(object);
    if (uses.length === 0) return;
    const kept = new Set(old === undefined ? [] : usesIn(old).map(({ gate }) => gate));
    for (const { object: holder, field, gate } of uses) if (!kept.has(gate)) delete holder[field];
  };
}

function gatesFor({ name }: Schema, { gates, droppedBy }: FieldsOff): FieldsOff['gates'] {
  const isDropped = (gate: string): boolean => droppedBy.get(gate)?.includes(name ?? '') ?? true;
  return new Map(
    [...gates].map(([type, fields]) => [type, new Map([...fields].filter(([, gate]) => isDropped(gate)))]),
  );
}

/** `known` also ends recursive types, which have no such fields. */
function searchOf(schema: Schema, off: FieldsOff, known: Map<Structure, Search | undefined>): Search | undefined {
  const { structure, items } = schema;
  if (structure === undefined) {
    const inside = items === undefined ? undefined : searchOf(items, off, known);
    if (inside === undefined) return undefined;
    return (value, uses) => {
      if (typeof value !== 'object' || value === null) return;
      for (const item of Array.isArray(value) ? value : Object.values(value)) {
        // There may be a million nulls.
        if (typeof item === 'object' && item !== null) inside(item, uses);
      }
    };
  }
  if (!known.has(structure)) {
    known.set(structure, undefined);
    known.set(structure, searchOfStructure(schema, structure, off, known));
  }
  return known.get(structure);
}

function searchOfStructure(
  { name = '' }: Schema,
  { fields }: Structure,
  off: FieldsOff,
  known: Map<Structure, Search | undefined>,
): Search | undefined {
  const gated = [...(off.gates.get(name) ?? [])];
  const inside = [...fields.values()].flatMap((field) => {
    const search = searchOf(field.schema, off, known);
    return search === undefined ? [] : [{ name: field.name, search, goes: rule(field.schema, off) }];
  });
  if (gated.length === 0 && inside.length === 0) return undefined;
  // An empty field means nothing, so it is no reason to drop the object.
  const isWhole = off.whole.has(name);
  return (value, uses) => {
    if (!isJsonObject(value)) return;
    for (const [field, gate] of gated) {
      if (value[field] !== undefined && !(isWhole && value[field] === '')) uses.push({ object: value, field, gate });
    }
    for (const { name: field, search, goes } of inside) {
      const before = uses.length;
      const held = value[field];
      search(held, uses);
      if (uses.length === before || !goes(held, uses.slice(before))) continue;
      for (const use of uses.splice(before)) uses.push({ object: value, field, gate: use.gate });
    }
  };
}

/** Whether an object is dropped as a whole, given the fields that would be dropped from it. */
function rule({ name = '' }: Schema, off: FieldsOff): (held: JsonValue | undefined, going: readonly Use[]) => boolean {
  if (off.whole.has(name)) return () => true;
  if (!off.unlessEmpty.has(name)) return () => false;
  return (held, going) =>
    isJsonObject(held) && Object.keys(held).length === going.filter(({ object }) => object === held).length;
}
