import { goQuote } from '../../../api/go/go-quote.ts';
import { noteNil } from '../../../api/json/go-value.ts';
import { type JsonObject, type JsonValue, setOwn } from '../../../api/json/json.ts';
import { noteFloat } from '../../../api/json/written-notes.ts';
import { declaredText } from '../../../cel/types/cel-type.ts';
import {
  findIn,
  isList,
  isMap,
  itemsOf,
  keysOf,
  type List,
  type Mapping,
  MapValue,
} from '../../../cel/values/collections.ts';
import { ConstructedObject } from '../../../cel/values/constructed.ts';
import { isWholeFloat } from '../../../cel/values/to-json.ts';
import { CelError, Double, isInt, Optional, StoredTime, TypeValue, type Value } from '../../../cel/values/value.ts';
import { foreignValue, keyProblem } from './foreign-value.ts';
import type { InputTypes } from './input-types.ts';
import { MutationError } from './mutation-error.ts';

/*
 * An apply configuration is what a constructed object holds in Go. The lists and maps of its fields become those of
 * JSON; what is within those that an expression writes is taken as it is, and may be none:
 *
 *     Object.spec{a: [1]}          [1]
 *     Object.spec{a: [[1]]}        a list of a GoValue, `[]ref.Val{1}`
 *     Object.spec{a: object.b}     as the object has it
 *     Object.spec{a: [object.b]}   the same for custom resources; of others a GoValue, `[]string{"x"}`
 */

/** The configuration as data, with a GoValue for what JSON does not have. Throws a MutationError. */
export function configurationOf(root: ConstructedObject, types: InputTypes): JsonObject {
  const json = new Configuration(types).fields(root);
  if (json instanceof CelError) throw new MutationError(`invalid return type: ${root.goType}`);
  return json;
}

class Configuration {
  readonly #types: InputTypes;

  constructor(types: InputTypes) {
    this.#types = types;
  }

  /** An error takes the place of the whole object. */
  fields(object: ConstructedObject): JsonObject | CelError {
    const json: JsonObject = {};
    for (const [name, field] of object.fields) {
      const key = field instanceof MapValue ? keysOf(field).find((each) => typeof each !== 'string') : undefined;
      if (key !== undefined) return new CelError(`fail to convert field ${goQuote(name)}: ${keyProblem(key)}`);
      setMember(json, name, field, this.#field(field));
    }
    return json;
  }

  #field(value: Value): JsonValue {
    const inner = value instanceof Optional ? value.value : value;
    if (inner !== undefined && isList(inner)) {
      const isWritten = this.#types(inner) === undefined;
      if (isWritten) return items(inner, (item) => this.#held(item));
      if (inner === value) return items(inner, (item) => this.#field(item));
    }
    if (inner instanceof MapValue) return members(inner, (member) => this.#held(member));
    return isMap(value) ? members(value, (member) => this.#field(member)) : this.#held(value);
  }

  /** What is within a list or a map that the expression writes. */
  #held(value: Value): JsonValue {
    if (typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value;
    if (value instanceof Double) return value.value;
    if (value instanceof Optional) return value.value === undefined ? null : this.#held(value.value);
    if (value instanceof TypeValue) return declaredText(value.named);
    if (value instanceof StoredTime) return value.written;
    if (value instanceof ConstructedObject) {
      const json = this.fields(value);
      return json instanceof CelError ? this.#foreign(json) : json;
    }
    const isCollection = isList(value) || (isMap(value) && !(value instanceof MapValue));
    return isCollection && this.#types(value) === 'json' ? this.#field(value) : this.#foreign(value);
  }

  #foreign(value: Value): JsonValue {
    // No JSON: merging checks all values first, and refuses this one wherever it is.
    return foreignValue(value, this.#types) as unknown as JsonValue;
  }
}

function items(list: List, jsonOf: (item: Value) => JsonValue): JsonValue[] {
  const json: JsonValue[] = [];
  for (const item of itemsOf(list)) {
    if (isWholeFloat(item)) noteFloat(json, json.length);
    json.push(jsonOf(item));
  }
  noteNil(json);
  return json;
}

function members(map: Mapping, jsonOf: (member: Value) => JsonValue): JsonObject {
  const json: JsonObject = {};
  // The keys of maps in fields have been checked.
  for (const key of keysOf(map)) {
    const member = findIn(map, key) ?? null;
    if (typeof key === 'string') setMember(json, key, member, jsonOf(member));
  }
  return json;
}

function setMember(json: JsonObject, key: string, value: Value, member: JsonValue): void {
  if (isWholeFloat(value)) noteFloat(json, key);
  setOwn(json, key, member);
}
