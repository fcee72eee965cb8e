import { parseDuration, DurationError } from '../../api/time/duration.ts';
import { int64Problem, uint64Problem } from '../../api/go/go-integer.ts';
import { TimeError } from '../../api/time/time.ts';
import { types, type CelType } from '../types/cel-type.ts';
import { isList, isMap } from './collections.ts';
import { ConstructedObject, ConstructedPatch } from './constructed.ts';
import { doubleToInt, doubleToUint, intOverflow, uintOverflow } from './int64.ts';
import { durationText, maxSeconds, minSeconds, readTimestamp, timestampOverflow, timestampText } from './times.ts';
import { floatText } from '../../api/json/go-print.ts';
import { parseGoFloat } from './go-float.ts';
import {
  CelError,
  Double,
  Duration,
  isBytes,
  isError,
  isInt,
  narrowed,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';
import { typeOf } from './type-of.ts';

// `int(x)`, `string(x)` and the like: by target type, then by source type.

type Target = 'bool' | 'bytes' | 'double' | 'duration' | 'int' | 'string' | 'timestamp' | 'uint';
type Conversion = (value: Value) => Value | undefined;

export function convert(value: Value, target: Target): Value {
  if (isError(value)) return value;
  return conversions[target](value) ?? failed(value, types[target]);
}

function failed(value: Value, target: CelType): CelError {
  return new CelError(`type conversion error from '${ownName(typeOf(value))}' to '${ownName(target)}'`);
}

/** Types print with their full names here. */
function ownName(type: CelType): string {
  return type.params.length === 0 || type.kind === 'struct' ? type.name : paramNames(type);
}

function paramNames({ name, params }: CelType): string {
  return `${name}(${params.map(ownName).join(', ')})`;
}

const conversions: { readonly [K in Target]: Conversion } = {
  bool(value) {
    if (typeof value === 'boolean') return value;
    return typeof value === 'string' ? booleans.get(value) : undefined;
  },
  bytes(value) {
    if (isBytes(value)) return value;
    return typeof value === 'string' ? new Uint8Array(Buffer.from(value)) : undefined;
  },
  double(value) {
    if (value instanceof Double) return value;
    if (isInt(value)) return new Double(Number(value));
    if (value instanceof Uint) return new Double(Number(value.value));
    const parsed = typeof value === 'string' ? parseGoFloat(value) : undefined;
    return parsed === undefined ? undefined : new Double(parsed);
  },
  duration(value) {
    if (value instanceof Duration) return value;
    return typeof value === 'string' ? read(DurationError, () => new Duration(parseDuration(value))) : undefined;
  },
  int(value) {
    if (isInt(value)) return value;
    if (value instanceof Uint) return BigInt(value.value) > 2n ** 63n - 1n ? intOverflow : value.value;
    if (value instanceof Double) return doubleToInt(value.value);
    if (value instanceof Timestamp) return value.seconds;
    if (value instanceof Duration) return value.nanos;
    return typeof value === 'string' && int64Problem(value) === undefined
      ? narrowed(BigInt(unsigned(value)))
      : undefined;
  },
  string(value) {
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean' || isInt(value)) return String(value);
    return value === null ? 'null' : stringConversion(value);
  },
  timestamp(value) {
    if (value instanceof Timestamp) return value;
    if (isInt(value)) {
      return value < minSeconds || value > maxSeconds ? timestampOverflow : new Timestamp(Number(value), 0);
    }
    return typeof value === 'string' ? read(TimeError, () => inRange(readTimestamp(value))) : undefined;
  },
  uint(value) {
    if (value instanceof Uint) return value;
    if (isInt(value)) return value < 0 ? uintOverflow : Uint.of(value);
    if (value instanceof Double) {
      const whole = doubleToUint(value.value);
      return whole instanceof CelError ? whole : Uint.of(whole);
    }
    return typeof value === 'string' && uint64Problem(value) === undefined ? Uint.of(BigInt(value)) : undefined;
  },
};

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** BigInt does not accept a plus sign. */
function unsigned(text: string): string {
  return text.startsWith('+') ? text.slice(1) : text;
}

function inRange(time: Timestamp): Value {
  return time.seconds < minSeconds || time.seconds > maxSeconds ? timestampOverflow : time;
}

/** Undefined when the string cannot be parsed. */
function read(problem: new (message: string) => Error, parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof problem) return undefined;
    throw error;
  }
}

function stringConversion(value: Value): Value | undefined {
  if (value instanceof Double) return floatText(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) return value.named.name;
  return isBytes(value) ? decoded(value) : undefined;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): Value {
  try {
    return decoder.decode(bytes);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** The type of a value, as a value. */
export function typeValueOf(value: Value): Value {
  if (isError(value)) return value;
  // Objects and patches of mutations tell no more than that they have a type.
  if (value instanceof ConstructedObject || value instanceof ConstructedPatch) return new TypeValue(types.type);
  return new TypeValue(isList(value) ? types.list : isMap(value) ? types.map : typeOf(value));
}
