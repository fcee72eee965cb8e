import { expect, test } from 'vitest';
import { MapValue } from '../../../cel/values/collections.ts';
import { Double, Duration, Timestamp, Uint, type Value } from '../../../cel/values/value.ts';
import { ForeignJsonError } from '../../../cel/values/to-json.ts';
import type { MergeType, ScalarType } from '../../../fieldmanagement/merge-type.ts';
import { foreignProblem } from './foreign-value.ts';

const scalar = (type: ScalarType): MergeType => ({ scalar: type });
const list: MergeType = { list: { element: scalar('string'), associative: false, keys: [] } };
const second = 1_000_000_000;

// As recorded from kube-apiserver 1.37.1.
test.each<readonly [MergeType, Value, string]>([
  [scalar('string'), Uint.of(2), ': expected string, got &value.valueUnstructured{Value:0x2}'],
  [scalar('string'), Buffer.from('x'), ': expected string, got &value.valueUnstructured{Value:[]uint8{0x78}}'],
  [scalar('string'), new Duration(second), ': expected string, got &value.valueUnstructured{Value:1000000000}'],
  [
    scalar('string'),
    new Timestamp(1_672_628_645, 6_000_000),
    ': expected string, got &value.valueUnstructured{Value:time.Date(2023, time.January, 2, 3, 4, 5, 6000000, time.UTC)}',
  ],
  [scalar('numeric'), Uint.of(2), ': expected numeric (int or float), got uint64'],
  [scalar('numeric'), new Duration(second), ': expected numeric (int or float), got time.Duration'],
  [scalar('untyped'), new Duration(second), ': expected any scalar, got &{1s}'],
  [scalar('untyped'), Buffer.from('x'), ': expected any scalar, got &{[120]}'],
  [list, Buffer.from([255, 254]), ': expected list, got &{[255 254]}'],
])('a value that is no JSON, as %o', (type, value, problem) =>
  expect(foreignProblem(type, value, new ForeignJsonError(value))).toBe(problem),
);

test('its place is told', () => {
  expect(foreignProblem(list, [Uint.of(2)], new ForeignJsonError(Uint.of(2), [0]))).toMatch(/^\[0\]: expected string/);
});

test('where its type has no lists or maps, what is around it is shown', () => {
  const bytes = Buffer.from('x') as Value;
  const shown = (value: Value, step: string | number): string =>
    foreignProblem(scalar('string'), value, new ForeignJsonError(bytes, [step]));
  const expected = ': expected string, got &value.valueUnstructured{Value:';
  expect(shown([bytes], 0)).toBe(`${expected}[]interface {}{[]uint8{0x78}}}`);
  const map = new MapValue();
  map.set('a', bytes);
  expect(shown(map, 'a')).toBe(`${expected}map[string]interface {}{"a":[]uint8{0x78}}}`);
  expect(shown([map], 0)).toBe(`${expected}[]interface {}{map[ref.Val]ref.Val{"a":[]uint8{0x78}}}}`);
});

test('NaN is a number, but none of JSON', () => {
  const nan = new Double(NaN);
  const problem = (type: ScalarType): string => foreignProblem(scalar(type), nan, new ForeignJsonError(nan));
  expect(problem('string')).toBe(': expected string, got &value.valueUnstructured{Value:NaN}');
  expect(() => problem('numeric')).toThrow('json: unsupported value: NaN');
});
