import { expect, test } from 'vitest';
import { readTolerations } from './tolerations.ts';

// What Go's decoder says of an annotation.

test('what fits is read, and null is nothing', () => {
  expect(readTolerations('null')).toEqual([]);
  expect(readTolerations('[{"key":"a","unknown":1,"tolerationSeconds":null},null]')).toEqual([{ key: 'a' }, {}]);
});

test.each([
  ['{', 'unexpected end of JSON input'],
  ['"x"', 'json: cannot unmarshal string into Go value of type []v1.Toleration'],
  ['["x"]', 'json: cannot unmarshal string into Go value of type v1.Toleration'],
  ['[{},{"key":1}]', 'json: cannot unmarshal number into Go struct field Toleration.key of type string'],
  [
    '[{"tolerationSeconds":"1"}]',
    'json: cannot unmarshal string into Go struct field Toleration.tolerationSeconds of type int64',
  ],
])('%s is refused', (json, message) => {
  expect(() => readTolerations(json)).toThrow(message);
});
