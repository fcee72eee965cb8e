import { expect, it } from 'vitest';
import { goKindOf, goPrint, goPrintAsText, goSyntax, goTypeOf } from './go-print.ts';

it('prints JSON-shaped data as %v does', () => {
  expect(goPrint({ b: [1, null, true], a: { d: 'x y' }, c: 1.5 })).toBe('map[a:map[d:x y] b:[1 <nil> true] c:1.5]');
  expect(goPrint([[], {}])).toBe('[[] map[]]');
});

it.each([
  [1e21, '1e+21'],
  [1e20, '1e+20'],
  [1_234_567.5, '1.2345675e+06'],
  [1_234_567, '1234567'],
  [0.000_01, '1e-05'],
  [1.5e-7, '1.5e-07'],
  [0.0001, '0.0001'],
  [2n ** 62n, '4611686018427387904'],
])('prints %s as %s', (value, text) => {
  expect(goPrint(value)).toBe(text);
});

it('marks non-strings like %s', () => {
  expect(goPrintAsText(5)).toBe('%!s(int64=5)');
  expect(goPrintAsText(null)).toBe('%!s(<nil>)');
  expect(goPrintAsText({ a: ['b', 1, true, null, 1.5] })).toBe(
    'map[a:[b %!s(int64=1) %!s(bool=true) <nil> %!s(float64=1.5)]]',
  );
});

it('names types and kinds', () => {
  const values = [{}, [], 'a', 1, 1.5, true];
  expect(values.map(goTypeOf)).toEqual([
    'map[string]interface {}',
    '[]interface {}',
    'string',
    'int64',
    'float64',
    'bool',
  ]);
  expect(values.map(goKindOf)).toEqual(['map', 'slice', 'string', 'int64', 'float64', 'bool']);
});

it('prints Go syntax as %#v does', () => {
  expect(goSyntax({ a: ['x', 1, null, true], b: {} })).toBe(
    'map[string]interface {}{"a":[]interface {}{"x", 1, interface {}(nil), true}, "b":map[string]interface {}{}}',
  );
});
