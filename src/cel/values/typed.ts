import type { JsonObject } from '../../api/json/json.ts';
import { types, type CelType } from '../types/cel-type.ts';
import { isList, itemsOf, type List, ListObject, MapObject } from './collections.ts';
import { escapeName, unescapeName } from './escaped-names.ts';
import { CelError, CelObject, isError, itemOf, memberOf, type Value } from './value.ts';

// JSON values typed by a schema: nothing is converted before it is accessed.

/** Wraps values of a schema. */
export type Reader = (json: unknown) => Value;

export interface ObjectShape {
  readonly fields: ReadonlyMap<string, Reader>;
}

/** An object with properties. Unknown properties are not accessible. */
export class TypedObject extends MapObject {
  readonly json: JsonObject;
  readonly shape: ObjectShape;

  constructor(json: JsonObject, shape: ObjectShape) {
    super();
    this.json = json;
    this.shape = shape;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return isError(key) ? key : new CelError('no such overload');
    const name = unescapeName(key);
    return name === undefined ? undefined : this.property(name);
  }

  /** By JSON name; null counts as absent. */
  property(name: string): Value | undefined {
    const json = Object.hasOwn(this.json, name) ? memberOf(this.json, name) : null;
    if (json === null || json === undefined) return undefined;
    const read = this.shape.fields.get(name);
    return read?.(json);
  }

  *keys(): Generator<Value> {
    for (const name of Object.keys(this.json)) if (this.shape.fields.has(name)) yield escapeName(name) ?? name;
  }
}

/** An object whose keys are data. */
export class TypedMap extends MapObject {
  readonly json: JsonObject;
  /** Undefined when the schema does not describe the values, which are then inaccessible. */
  readonly read: Reader | undefined;

  constructor(json: JsonObject, read: Reader | undefined) {
    super();
    this.json = json;
    this.read = read;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return isError(key) ? key : new CelError('no such overload');
    return Object.hasOwn(this.json, key) ? this.read?.(memberOf(this.json, key)) : undefined;
  }

  keys(): readonly Value[] {
    return this.read === undefined ? [] : Object.keys(this.json);
  }
}

/** How a list is merged and compared: as a sequence, as a set of scalars, or as a map keyed by fields of its items. */
export type ListMode = 'atomic' | 'set' | { readonly keys: readonly string[] };

export class TypedList extends ListObject {
  readonly json: readonly unknown[];
  readonly read: Reader;
  readonly mode: ListMode;

  constructor(json: readonly unknown[], read: Reader, mode: ListMode) {
    super();
    this.json = json;
    this.read = read;
    this.mode = mode;
  }

  get size(): number {
    return this.json.length;
  }

  at(index: number): Value {
    return this.read(itemOf(this.json, index));
  }
}

/** A set or map list that results from an operation. */
export class MergedList extends ListObject {
  readonly values: readonly Value[];
  readonly mode: ListMode;

  constructor(values: readonly Value[], mode: ListMode) {
    super();
    this.values = values;
    this.mode = mode;
  }

  get size(): number {
    return this.values.length;
  }

  at(index: number): Value {
    return this.values[index] ?? null;
  }
}

export function modeOf(list: List): ListMode {
  return list instanceof TypedList || list instanceof MergedList ? list.mode : 'atomic';
}

/** JSON preserved as an unknown field. */
export class PreservedJson extends CelObject {
  readonly json: unknown;

  constructor(json: unknown) {
    super();
    this.json = json;
  }

  get type(): CelType {
    return types.unknown;
  }
}

/** All items of a list, converted once. */
export function valuesOf(list: Value): Value[] {
  return isList(list) ? [...itemsOf(list)] : [];
}
