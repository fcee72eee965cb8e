import { expect, test } from 'vitest';
import { AdmittedUsages } from './admitted-usages.ts';
import { noScopes } from './evaluator.ts';

const usage = (pods: number) => ({ amounts: new Map([['pods', String(pods)]]), scopes: noScopes });

test('a usage is known once, by its uid', () => {
  const admitted = new AdmittedUsages();
  admitted.note('a', usage(1));
  admitted.note('b', usage(2));
  expect(admitted.take('b')).toEqual(usage(2));
  expect(admitted.take('b')).toBeUndefined();
  expect(admitted.take('a')).toEqual(usage(1));
  expect(admitted.take('c')).toBeUndefined();
});

test('what nobody takes is forgotten, the oldest first', () => {
  const admitted = new AdmittedUsages();
  for (let index = 0; index < 1001; index += 1) admitted.note(String(index), usage(index));
  expect(admitted.take('0')).toBeUndefined();
  expect(admitted.take('1')).toEqual(usage(1));
  expect(admitted.take('1000')).toEqual(usage(1000));
});
