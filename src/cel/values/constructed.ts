import { type CelType, declaredText } from '../types/cel-type.ts';
import { findIn, isList, itemsOf, keysOf, MapValue } from './collections.ts';
import { wrappedTypeName } from './wrapped-types.ts';
import { CelError, CelObject, LibraryValue, Optional, TypeValue, type Value } from './value.ts';

/**
 * A value with fields that an expression has constructed, as in `Object.spec{replicas: 3}`: of a mutation, of a patch
 * or of a message. It is no map.
 */
export abstract class ConstructedValue extends CelObject {
  readonly type: CelType;
  /** The fields that were given. */
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: CelType, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = type;
    this.fields = fields;
  }

  /** A field; undefined when it cannot be found. `isDeclared`: the checker knows that the value has the type. */
  abstract find(key: Value, isDeclared: boolean): Value | undefined;
  /** Whether the field is set; an error for a field that does not exist. */
  abstract has(key: Value, isDeclared: boolean): boolean | CelError;
  /** The type name in the reference's messages. */
  abstract readonly goType: string;
  /** Whether `optional.ofNonZeroValue` takes it for absent. */
  abstract readonly isZero: boolean;
}

/** An object of a mutation. Its fields are found where the checker knows its type. */
export class ConstructedObject extends ConstructedValue {
  readonly goType = '*dynamic.ObjectVal';

  get isZero(): boolean {
    return this.fields.size === 0;
  }

  find(key: Value, isDeclared: boolean): Value | undefined {
    if (!isDeclared || typeof key !== 'string') return undefined;
    return plainValue(this.fields.get(key) ?? null);
  }

  has(key: Value, isDeclared: boolean): boolean {
    return isDeclared && typeof key === 'string' && this.fields.has(key);
  }
}

/** Values of libraries are wrapped in Go, and what they wrap is no value. */
function wrapped(value: LibraryValue): Value {
  const name = wrappedTypeName(value.goType);
  if (name === undefined) return value;
  return new CelError(`unsupported conversion to ref.Val: (${name})${value.text}`);
}

/** What a field of an object is when it is read: inner objects are maps. */
function plainValue(value: Value): Value {
  if (value instanceof ConstructedObject) {
    const map = new MapValue();
    for (const [name, field] of value.fields) map.set(name, plainValue(field));
    return map;
  }
  if (value instanceof Optional) return value.value === undefined ? null : plainValue(value.value);
  if (value instanceof TypeValue) return declaredText(value.named);
  if (value instanceof LibraryValue) return wrapped(value);
  if (isList(value)) return [...itemsOf(value)].map(plainValue);
  if (!(value instanceof MapValue)) return value;
  const map = new MapValue();
  for (const key of keysOf(value)) map.set(key, plainValue(findIn(value, key) ?? null));
  return map;
}

/** An operation of a JSON patch. */
export class ConstructedPatch extends ConstructedValue {
  readonly goType = '*mutation.JSONPatchVal';
  readonly isZero = false;

  find(key: Value): Value {
    if (key === 'value') return this.fields.get(key) ?? null;
    if (isTextField(key)) return this.fields.get(key) ?? '';
    return new CelError(`unsupported indexer: ${keyText(key)}`);
  }

  has(key: Value): boolean | CelError {
    if (key === 'value') return this.fields.has(key);
    if (isTextField(key)) return (this.fields.get(key) ?? '') !== '';
    return new CelError(`unsupported field: ${keyText(key)}`);
  }
}

/** Other keys than names are printed as Go prints what it cannot format. */
function keyText(key: Value): string {
  if (typeof key === 'string') return key;
  return typeof key === 'number' ? `%!s(types.Int=${key})` : '';
}

export type PatchTextField = 'op' | 'path' | 'from';

export function isTextField(key: Value): key is PatchTextField {
  return key === 'op' || key === 'path' || key === 'from';
}

/** A message of a type that is no type of CEL. */
export class ConstructedMessage extends ConstructedValue {
  readonly goType = '*types.protoObj';
  readonly #zeros: ReadonlyMap<string, Value>;

  /** `zeros`: all fields of the type, and their values when they are not set. */
  constructor(type: CelType, fields: ReadonlyMap<string, Value>, zeros: ReadonlyMap<string, Value>) {
    super(type, fields);
    this.#zeros = zeros;
  }

  get isZero(): boolean {
    return [...this.fields.keys()].every((name) => this.has(name) === false);
  }

  find(key: Value): Value {
    if (typeof key !== 'string') return new CelError('no such overload');
    const zero = this.#zeros.get(key);
    return zero === undefined ? new CelError(`no such field '${key}'`) : (this.fields.get(key) ?? zero);
  }

  has(key: Value): boolean | CelError {
    const found = this.find(key);
    if (found instanceof CelError) return found;
    return typeof key === 'string' && this.fields.has(key) && found !== '';
  }
}
