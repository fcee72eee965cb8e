import { getConformanceSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import {
  optionalType,
  type CelType,
  listType,
  mapType,
  nullableType,
  opaqueType,
  structType,
  typeOfType,
  types,
  paramType,
} from '../types/cel-type.ts';
import { MapValue } from '../values/collections.ts';
import { Double, Duration, narrowed, Timestamp, TypeValue, Uint, type Value } from '../values/value.ts';
import { messageTypes } from '../environments/message-types.ts';

// The conformance vectors of cel-spec, in our own types.

type Suite = ReturnType<typeof getConformanceSuite>;
type Vector = Suite['tests'][number]['original'];

export interface ConformanceCase {
  /** `macros/all/list_elem_some_true` */
  readonly name: string;
  readonly vector: Vector;
}

/** Names are unique. */
export function conformanceCases(): readonly ConformanceCase[] {
  const counts = new Map<string, number>();
  return casesIn(getConformanceSuite(), []).map(({ name, vector }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { name: count === 1 ? name : `${name}#${count}`, vector };
  });
}

function casesIn({ tests, suites }: Suite, path: readonly string[]): ConformanceCase[] {
  const own = tests.map(({ original }) => ({ name: [...path, original.name].join('/'), vector: original }));
  return [...own, ...suites.flatMap((suite) => casesIn(suite, [...path, suite.name]))];
}

/** The vector needs message types that are not supported. */
export class UnknownMessage extends Error {
  readonly code = 'cel-unknown-message';
}

type ProtoType = Extract<Vector['typeEnv'][number]['declKind'], { case: 'ident' }>['value']['type'];

const primitives = [undefined, types.bool, types.int, types.uint, types.double, types.string, types.bytes];
const wellKnown = [undefined, types.any, types.timestamp, types.duration];

export function typeFrom(type: ProtoType): CelType {
  const kind = type?.typeKind;
  switch (kind?.case) {
    case 'primitive':
      return primitives[kind.value] ?? types.dyn;
    case 'wellKnown':
      return wellKnown[kind.value] ?? types.dyn;
    case 'wrapper':
      return nullableType(primitives[kind.value] ?? types.dyn);
    case 'listType':
      return listType(typeFrom(kind.value.elemType));
    case 'mapType':
      return mapType(typeFrom(kind.value.keyType), typeFrom(kind.value.valueType));
    case 'messageType': {
      const known = messageTypes.get(kind.value)?.type;
      if (known === undefined) throw new UnknownMessage(kind.value);
      return known;
    }
    case 'abstractType': {
      const params = kind.value.parameterTypes.map(typeFrom);
      if (kind.value.name === 'optional_type') return optionalType(params[0] ?? types.dyn);
      return opaqueType(kind.value.name, ...params);
    }
    case 'null':
      return types.null;
    case 'typeParam':
      return paramType(kind.value);
    case 'type':
      return kind.value.typeKind.case === undefined ? types.type : typeOfType(typeFrom(kind.value));
    default:
      return types.dyn;
  }
}

type ProtoValue = Extract<Vector['resultMatcher'], { case: 'value' }>['value'];

export function valueFrom({ kind }: ProtoValue): Value {
  switch (kind.case) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return kind.value;
    case 'bytesValue':
      return new Uint8Array(kind.value);
    case 'int64Value':
      return narrowed(kind.value);
    case 'uint64Value':
      return Uint.of(kind.value);
    case 'doubleValue':
      return new Double(kind.value);
    case 'listValue':
      return kind.value.values.map(valueFrom);
    case 'mapValue': {
      const map = new MapValue();
      for (const { key, value } of kind.value.entries) {
        if (key !== undefined && value !== undefined) map.set(valueFrom(key), valueFrom(value));
      }
      return map;
    }
    case 'typeValue':
      return new TypeValue(namedTypes.get(kind.value) ?? structType(kind.value));
    case 'objectValue':
      return messageFrom(kind.value.typeUrl.replace(/^.*\//, ''), kind.value.value);
    default:
      throw new UnknownMessage(String(kind.case));
  }
}

const namedTypes = new Map(
  Object.values(types)
    .filter(({ kind }) => kind !== 'dyn')
    .map((type) => [type.name, type] as const),
);

/** Durations and timestamps: two integers each. */
function messageFrom(name: string, bytes: Uint8Array): Value {
  const [seconds, nanos] = integersIn(bytes);
  if (name === 'google.protobuf.Duration') return new Duration(seconds * 1_000_000_000n + nanos);
  if (name === 'google.protobuf.Timestamp') return new Timestamp(Number(seconds), Number(nanos));
  throw new UnknownMessage(name);
}

function integersIn(bytes: Uint8Array): readonly [bigint, bigint] {
  const fields: [bigint, bigint] = [0n, 0n];
  let at = 0;
  const next = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
  };
  while (at < bytes.length) {
    const field = Number(next() >> 3n) - 1;
    const value = next();
    if (field === 0 || field === 1) fields[field] = value;
  }
  return fields;
}
