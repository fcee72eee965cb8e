import { expect, test } from 'vitest';
import { finish } from '../api/turns.ts';
import { parseJson } from '../codec/json.ts';
import { readOperations } from './patch-body.ts';

test('many operations are read with pauses', () => {
  const operation = { op: 'add', path: '/data/a', value: 'b' };
  const source = parseJson(Buffer.from(JSON.stringify(Array.from({ length: 20_000 }, () => operation))));
  let pauses = 0;
  for (const _ of readOperations(source, true)) pauses += 1;
  expect(pauses).toBeGreaterThan(20_000 / 200);
  expect(finish(readOperations(source, true)).patch[19_999]).toEqual(operation);
});
