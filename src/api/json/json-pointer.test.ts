import { expect, it } from 'vitest';
import { escapeStep, unescapeStep } from './json-pointer.ts';

it.each([
  ['plain', 'plain'],
  ['a/b', 'a~1b'],
  ['a~b', 'a~0b'],
  ['~1', '~01'],
  ['/~/', '~1~0~1'],
  ['', ''],
])('%j is escaped as %j, and back', (step, escaped) => {
  expect(escapeStep(step)).toBe(escaped);
  expect(unescapeStep(escaped)).toBe(step);
});
