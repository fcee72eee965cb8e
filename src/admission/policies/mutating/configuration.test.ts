import { expect, test } from 'vitest';
import type { JsonObject } from '../../../api/json/json.ts';
import { CidrValue, IpValue } from '../../../cel/libraries/addresses.ts';
import { parseAddress } from '../../../cel/libraries/address.ts';
import { structType } from '../../../cel/types/cel-type.ts';
import { MapValue } from '../../../cel/values/collections.ts';
import { ConstructedObject } from '../../../cel/values/constructed.ts';
import { Double, Duration, Optional, Timestamp, Uint, type Value } from '../../../cel/values/value.ts';
import type { MergeType, ScalarType } from '../../../fieldmanagement/merge-type.ts';
import { typedValue } from '../../../fieldmanagement/validate.ts';
import { configurationOf } from './configuration.ts';
import type { InputTypes } from './input-types.ts';

const data = ['x'];
const labels = { a: 'b' };
const custom = [['x']];
const known = new Map<unknown, string>([
  [data, '[]string'],
  [labels, 'map[string]string'],
  [custom, 'json'],
  [custom[0], 'json'],
]);
const types: InputTypes = (collection) => known.get(collection);

const scalar = (type: ScalarType): MergeType => ({ scalar: type });
const list: MergeType = { list: { element: scalar('string'), associative: false, keys: [] } };
const keyed: MergeType = { list: { element: scalar('string'), associative: true, keys: ['name'] } };

function fieldOf(value: Value): JsonObject {
  return configurationOf(new ConstructedObject(structType('Object'), new Map([['a', value]])), types);
}

function mapOf(key: Value, value: Value): Value {
  const map = new MapValue();
  map.set(key, value);
  return map;
}

/** What merging says of a value as the field `a`. */
function problem(type: MergeType, value: Value): string {
  const object: MergeType = {
    map: { atomic: false, element: type, deduced: false, fieldOf: () => undefined, fieldNames: () => [] },
  };
  try {
    typedValue(object, fieldOf(value), { allowDuplicates: false });
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

const bytes = Buffer.from('x') as Value;
const shown = (syntax: string): string => `.a: expected string, got &value.valueUnstructured{Value:${syntax}}`;

// As recorded from kube-apiserver 1.37.1.
test.each<readonly [MergeType, Value, string]>([
  [scalar('string'), Uint.of(2), shown('0x2')],
  [scalar('string'), bytes, shown('[]uint8{0x78}')],
  [scalar('string'), new Duration(1_000_000_000), shown('1000000000')],
  [scalar('string'), new Double(-0), shown('-0')],
  [
    scalar('string'),
    new Timestamp(1_672_628_645, 6_000_000),
    shown('time.Date(2023, time.January, 2, 3, 4, 5, 6000000, time.UTC)'),
  ],
  [scalar('numeric'), Uint.of(2), '.a: expected numeric (int or float), got uint64'],
  [scalar('numeric'), new Duration(1_000_000_000), '.a: expected numeric (int or float), got time.Duration'],
  [scalar('untyped'), new Duration(1_000_000_000), '.a: expected any scalar, got &{1s}'],
  [scalar('untyped'), bytes, '.a: expected any scalar, got &{[120]}'],
  [list, Buffer.from([255, 254]), '.a: expected list, got &{[255 254]}'],
  [
    list,
    [Uint.of(2), Uint.of(3)],
    [
      'errors:',
      '  .a[0]: expected string, got &value.valueUnstructured{Value:0x2}',
      '  .a[1]: expected string, got &value.valueUnstructured{Value:0x3}',
    ].join('\n'),
  ],
])('a value that is no JSON, as %o', (type, value, expected) => expect(problem(type, value)).toBe(expected));

test('lists and maps within those that an expression writes are none of JSON', () => {
  const string = scalar('string');
  expect(problem(string, [bytes])).toBe(shown('[]interface {}{[]uint8{0x78}}'));
  expect(problem(string, [])).toBe(shown('[]interface {}(nil)'));
  expect(problem(string, mapOf('b', bytes))).toBe(shown('map[string]interface {}{"b":[]uint8{0x78}}'));
  expect(problem(string, [mapOf('b', bytes)])).toBe(shown('[]interface {}{map[ref.Val]ref.Val{"b":[]uint8{0x78}}}'));
  expect(problem(string, [['b']])).toBe(shown('[]interface {}{[]ref.Val{"b"}}'));
  expect(problem(list, [['b']])).toBe('.a[0]: expected string, got &value.valueUnstructured{Value:[]ref.Val{"b"}}');
  const element = '.a: element 0: associative list with keys may not have non-map elements';
  expect(problem(keyed, [mapOf('name', 'b')])).toBe(element);
});

test('those of the objects that expressions see are data, within others as Go has them', () => {
  expect(fieldOf(data)).toEqual({ a: ['x'] });
  expect(fieldOf(labels)).toEqual({ a: { a: 'b' } });
  expect(fieldOf([custom])).toEqual({ a: [[['x']]] });
  expect(fieldOf(new Optional(['x']))).toEqual({ a: ['x'] });
  expect(fieldOf(Optional.none)).toEqual({ a: null });
  expect(problem(scalar('string'), [data])).toBe(shown('[]interface {}{[]string{"x"}}'));
  expect(problem(scalar('string'), [labels])).toBe(shown('[]interface {}{map[string]string{"a":"b"}}'));
});

test('objects in them are data', () => {
  const inner = new ConstructedObject(structType('Object.a'), new Map<string, Value>([['b', ['c']]]));
  expect(fieldOf([inner])).toEqual({ a: [{ b: ['c'] }] });
  expect(fieldOf(mapOf('k', inner))).toEqual({ a: { k: { b: ['c'] } } });
});

test('values of libraries are printed with what they hold', () => {
  const zone = 'z:unique.Handle[net/netip.addrDetail]{value:(*netip.addrDetail)(0xc000000000)}';
  const four = `netip.Addr{addr:netip.uint128{hi:0x0, lo:0xffff01020304}, ${zone}}`;
  expect(problem(scalar('string'), new IpValue(parseAddress('1.2.3.4')))).toBe(shown(four));
  expect(problem(scalar('string'), new CidrValue({ network: parseAddress('1.2.3.4'), prefixLength: 8 }))).toBe(
    shown(`netip.Prefix{ip:${four}, bitsPlusOne:0x9}`),
  );
});

test('keys of maps are names', () => {
  expect(() => fieldOf(mapOf(1n, 'a'))).toThrow('invalid return type: *dynamic.ObjectVal');
  const inner = new ConstructedObject(structType('Object.a'), new Map([['b', mapOf(true, 'a')]]));
  expect(problem(scalar('untyped'), inner)).toBe(
    '.a: expected any scalar, got &{fail to convert field "b": map key %!q(types.Bool=true) is of type types.Bool, not string}',
  );
});
