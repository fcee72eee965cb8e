import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import { finish, type Work } from '../api/turns.ts';
import { Visits } from '../api/visits.ts';
import { zeroTextOf as canonicalZero } from './decode-scalars.ts';
import { emptyTest, isAlwaysWritten, zeroTextOf } from './omission.ts';
import type { Field, Schema, Structure } from './schema.ts';

// The data that a client would read back from the JSON of a typed object: `encode-json.ts` without the text between.

/** Of a value of one schema node; `undefined` and `null` give the node's zero value. */
type Former = (value: JsonValue | undefined, visits: Visits) => JsonValue;

interface FormedField {
  readonly name: string;
  readonly form: Former;
  /** Left out when it has no value of its own. */
  readonly isAbsent: (value: JsonValue | undefined) => boolean;
}

interface FormedStruct {
  readonly byName: ReadonlyMap<string, FormedField>;
  readonly always: readonly FormedField[];
}

const formers = new WeakMap<Schema, Former>();
const structs = new WeakMap<Structure, FormedStruct>();

/** `object` with the zero values that are always written, and without fields that are not. Shares parts with `object`. */
export function writtenForm(schema: Schema, object: Readonly<JsonObject>): JsonObject {
  return finish(writtenInTurns(schema, object));
}

/** The same with pauses. */
export function* writtenInTurns(schema: Schema, object: Readonly<JsonObject>): Work<JsonObject> {
  const visits = new Visits();
  const value = formerOf(schema)(object, visits);
  yield* visits.rest();
  return isJsonObject(value) ? value : {};
}

function formerOf(schema: Schema): Former {
  let former = formers.get(schema);
  if (former === undefined) {
    former = compile(schema);
    formers.set(schema, former);
  }
  return former;
}

function compile(schema: Schema): Former {
  switch (schema.type) {
    case 'object':
      return schema.structure === undefined || schema.preserveUnknownFields === true ? asIs : formObject(schema);
    case 'map':
      return formMap(schema);
    case 'array':
      return formArray(schema);
    case 'string':
      if (schema.format === 'date-time' || schema.format === 'micro-time') return formTime(schema);
      return orZero(schema, '""');
    case 'integer':
    case 'number':
      return orZero(schema, '0');
    case 'boolean':
      return orZero(schema, 'false');
    case 'any':
      return orZero(schema, 'null');
  }
}

function asIs(value: JsonValue | undefined): JsonValue {
  return value ?? null;
}

function orZero(schema: Schema, otherwise: string): Former {
  // Zero values are JSON texts.
  const zero = JSON.parse(zeroTextOf(schema, otherwise)) as JsonValue;
  return (value) => value ?? zero;
}

function formTime(schema: Schema): Former {
  const zero = canonicalZero(schema);
  return (value) => (value === undefined || value === zero ? null : value);
}

function formArray({ items }: Schema): Former {
  if (items === undefined || isPlain(items)) return asIs;
  let item: Former | undefined;
  return (value, visits) => {
    if (!Array.isArray(value)) return null;
    const form = (item ??= formerOf(items));
    if (!visits.isMuch(value.length)) return value.map((each) => form(each, visits));
    const formed: JsonValue[] = [];
    visits.later<JsonValue>(value, (each) => void formed.push(form(each, visits)));
    return formed;
  };
}

function formMap({ items }: Schema): Former {
  if (items === undefined || isPlain(items)) return asIs;
  let item: Former | undefined;
  return (value, visits) => {
    if (!isJsonObject(value)) return null;
    const form = (item ??= formerOf(items));
    const formed: JsonObject = {};
    visits.all(Object.keys(value), (key) => setOwn(formed, key, form(value[key], visits)));
    return formed;
  };
}

/** Scalars are written as they are; only null could be something else in a list, and decoding leaves none there. */
function isPlain({ type }: Schema): boolean {
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';
}

function formObject(schema: Schema): Former {
  let struct: FormedStruct | undefined;
  return (value, visits) => {
    struct ??= structOf(schema);
    const formed: JsonObject = {};
    if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        const field = struct.byName.get(key);
        if (field !== undefined && !field.isAbsent(value[key])) formed[field.name] = field.form(value[key], visits);
      }
    }
    for (const { name, form } of struct.always) if (formed[name] === undefined) formed[name] = form(undefined, visits);
    return formed;
  };
}

function structOf({ structure }: Schema): FormedStruct {
  if (structure === undefined) return { byName: new Map(), always: [] };
  let struct = structs.get(structure);
  if (struct === undefined) {
    const fields = [...structure.fields.values()];
    const formed = new Map(fields.map((field) => [field.name, formField(field)]));
    const always = fields.filter(isAlwaysWritten).flatMap(({ name }) => formed.get(name) ?? []);
    struct = { byName: formed, always };
    structs.set(structure, struct);
  }
  return struct;
}

function formField(field: Field): FormedField {
  const { name, schema, pointer } = field;
  let former: Former | undefined;
  const form: Former = (value, visits) => {
    if (pointer && (value === undefined || value === null)) return null;
    former ??= formerOf(schema);
    return former(value, visits);
  };
  if (isAlwaysWritten(field)) return { name, form, isAbsent: () => false };
  const isAbsent = pointer ? isMissing : emptyTest(schema);
  return { name, form, isAbsent };
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
