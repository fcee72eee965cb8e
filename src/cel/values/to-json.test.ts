import { expect, test } from 'vitest';
import { MapValue } from './collections.ts';
import { toJson } from './to-json.ts';
import { Double, Optional, type Value } from './value.ts';

const bytes = Buffer.from('xyz') as Value;

function mapOf(key: Value, value: Value): Value {
  const map = new MapValue();
  map.set(key, value);
  return map;
}

test('bytes are text in patches, and optional values what they hold', () => {
  expect(toJson(bytes)).toBe('eHl6');
  expect(toJson(new Optional('a'))).toBe('a');
});

// The messages are those of kube-apiserver, in refusals of mutating policies.
test.each<readonly [Value, string]>([
  [Optional.none, 'optional.none() dereference'],
  [mapOf(1n, 'a'), "unsupported type conversion from 'int' to string"],
  [mapOf(true, 'a'), "type conversion error from bool to 'string'"],
  ...['NaN', '+Inf', '-Inf'].map((name) => {
    const number = new Double(Number(name.replace('Inf', 'Infinity')));
    const why = `proto:\u00a0google.protobuf.Value.number_value: invalid ${name} value`;
    return [number, `json: error calling MarshalJSON for type *structpb.Value: ${why}`] as const;
  }),
])('what has no form in JSON', (value, message) =>
  expect(() => toJson(value)).toThrow(expect.objectContaining({ message })),
);
