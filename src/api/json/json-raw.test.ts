import { expect, test } from 'vitest';
import { compactJson, partsOf } from './json-raw.ts';

test.each([
  ['[]', []],
  ['{}', []],
  ['[1.0]', ['1.0']],
  ['[1,[2,3],{"a":[4]}]', ['1', '[2,3]', '{"a":[4]}']],
  ['{"a":[1.0,2],"b":{}}', ['"a"', '[1.0,2]', '"b"', '{}']],
  [String.raw`{"a\",:":"]}","b":"\\","a":null}`, [String.raw`"a\",:"`, '"]}"', '"b"', String.raw`"\\"`, '"a"', 'null']],
])('parts of %s', (json, parts) => {
  expect(partsOf(json)).toEqual(parts);
});

test('compact JSON', () => {
  expect(compactJson(' { "a b" : [ 1.0 , "<\\" " ] }\n')).toBe(String.raw`{"a b":[1.0,"\u003c\" "]}`);
});
