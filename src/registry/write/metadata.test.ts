import { expect, test } from 'vitest';
import { generateName } from './metadata.ts';

test('prefixes of names are shortened by bytes', () => {
  expect(generateName('a'.repeat(60))).toMatch(/^a{58}[a-z0-9]{5}$/);
  expect(generateName('é'.repeat(40))).toMatch(/^é{29}[a-z0-9]{5}$/);
  expect(generateName(`a${'é'.repeat(40)}`)).toMatch(/^aé{28}\ufffd[a-z0-9]{5}$/);
});
