import { expect, it } from 'vitest';
import { parseQuery } from './query.ts';

// Recorded from the reference.
it.each([
  ['a=1&b=2', 'a=1&b=2'],
  ['limit=1;2&a=;&b', 'b='],
  ['limit=%zz&a=%2', ''],
  ['limit=%31&%zz=1', 'limit=1'],
])('%s', (text, expected) => {
  expect(parseQuery(text).toString()).toBe(expected);
});
