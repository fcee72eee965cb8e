import type { JsonObject } from '../../api/json/json.ts';
import { isNotedFloat } from '../../api/json/written-notes.ts';
import type { CelType } from '../types/cel-type.ts';
import { types } from '../types/cel-type.ts';

/**
 * Values of expressions. Decoded JSON is a value as it is, which is why numbers need care:
 *
 * | CEL | here |
 * |---|---|
 * | int | a number, a BigInt outside the safe range |
 * | uint, double | `Uint`, `Double`; in JSON a number other than a safe integer is a double as well |
 * | list | an array of values or of JSON |
 * | map | `MapValue`, or a JSON object |
 * | other types | an object with a type of its own |
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | CelObject
  | readonly unknown[]
  | JsonObject;

export type Int = number | bigint;
export type Bytes = Uint8Array;

/** Values other than JSON and bytes. */
export abstract class CelObject {
  abstract readonly type: CelType;
}

/** An evaluation error; it propagates like a value, as `||` and `&&` may absorb it. */
export class CelError extends CelObject {
  readonly message: string;

  constructor(message: string) {
    super();
    this.message = message;
  }

  get type(): CelType {
    return types.error;
  }
}

export function isError(value: Value): value is CelError {
  return value instanceof CelError;
}

export const noSuchOverload = new CelError('no such overload');

export class Double extends CelObject {
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  get type(): CelType {
    return types.double;
  }
}

export class Uint extends CelObject {
  /** A BigInt outside the safe range. */
  readonly value: Int;

  private constructor(value: Int) {
    super();
    this.value = value;
  }

  static of(value: Int): Uint {
    return new Uint(narrowed(value));
  }

  get type(): CelType {
    return types.uint;
  }
}

/** A timestamp; the offset it was written with matters when it is printed. */
export class Timestamp extends CelObject {
  /** Seconds since the epoch: any int64. */
  readonly seconds: Int;
  readonly nanos: number;
  readonly offsetMinutes: number;

  constructor(seconds: Int, nanos: number, offsetMinutes = 0) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }

  get type(): CelType {
    return types.timestamp;
  }
}

/** A time within a stored object, which is a text where the object is data. */
export class StoredTime extends Timestamp {
  readonly written: string;

  constructor({ seconds, nanos, offsetMinutes }: Timestamp, written: string) {
    super(seconds, nanos, offsetMinutes);
    this.written = written;
  }
}

export class Duration extends CelObject {
  readonly nanos: Int;

  constructor(nanos: Int) {
    super();
    this.nanos = narrowed(nanos);
  }

  get type(): CelType {
    return types.duration;
  }
}

export class Optional extends CelObject {
  /** Undefined when absent. */
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }

  static readonly none = new Optional(undefined);

  get type(): CelType {
    return types.optional;
  }
}

/** A type as a value, such as `int` or `type(1)`. */
export class TypeValue extends CelObject {
  readonly named: CelType;

  constructor(named: CelType) {
    super();
    this.named = named;
  }

  get type(): CelType {
    return types.type;
  }
}

/** A value of a library: an address, a quantity, and so on. */
export abstract class LibraryValue extends CelObject {
  /** True, false, or an error when the other value is not comparable. */
  equals(other: Value): boolean | CelError {
    return this.isSame(other) ?? (isError(other) ? other : noSuchOverload);
  }

  /** Undefined for a value of another type. */
  protected abstract isSame(other: Value): boolean | undefined;

  /** Its content for functions that measure values; undefined when it has no size. */
  get size(): number | undefined {
    return undefined;
  }

  /** What it has to be waited for, if anything. */
  get awaited(): Promise<void> | undefined {
    return undefined;
  }

  /** As messages print it. */
  abstract get text(): string;

  /** Whether it is its text where a message has a text. */
  get hasText(): boolean {
    return true;
  }

  /** The type name in the reference's messages. */
  abstract get goType(): string;

  /** Go's `%#v` of what it wraps; undefined for pointers. */
  get syntax(): string | undefined {
    return undefined;
  }

  /** What makes it the same key of a map as another value. */
  get identity(): unknown {
    return this;
  }

  /** Whether it can be a key of a map. */
  get isHashable(): boolean {
    return true;
  }
}

/** A key of a map that cannot be one: ends the evaluation, as the reference's panic does. */
export class UnhashableKeyError extends Error {
  override readonly name = 'UnhashableKeyError';
  readonly code = 'cel-unhashable-key';

  constructor(goType: string) {
    super(`internal error: runtime error: hash of unhashable type ${goType}`);
  }
}

/** A list item or map value, which may be JSON as decoded. */
export function fromJson(json: unknown): Value {
  if (typeof json === 'number' && !Number.isSafeInteger(json)) return new Double(json);
  // Lists and objects contain values and JSON only.
  return json as Value;
}

/** A member of JSON data as decoded; a number that was written as a float is a double even if it is whole. */
export function memberOf(container: { readonly [key: string]: unknown }, key: string): unknown {
  const json = container[key];
  return typeof json === 'number' && isNotedFloat(container, key) ? new Double(json) : json;
}

/** An item of JSON data as decoded; a number that was written as a float is a double even if it is whole. */
export function itemOf(list: readonly unknown[], index: number): unknown {
  const json = list[index];
  return typeof json === 'number' && isNotedFloat(list, index) ? new Double(json) : json;
}

/** Each integer has one representation. */
export function narrowed(value: Int): Int {
  if (typeof value === 'number') return value;
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

export function isInt(value: Value): value is Int {
  return typeof value === 'number' || typeof value === 'bigint';
}

export function isBytes(value: Value): value is Bytes {
  return value instanceof Uint8Array;
}

/** A JSON object; maps built by expressions are not. */
export function isPlainObject(value: Value): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof CelObject) &&
    !(value instanceof Uint8Array)
  );
}
