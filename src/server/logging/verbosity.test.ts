import { expect, test } from 'vitest';
import { Verbosity } from './verbosity.ts';

const site = { file: 'stages/call-hook.ts', line: 1 };

// As Go's filepath.Match matches them; malformed ones match nothing.
test.each([
  ['call-hook', true],
  ['call', false],
  ['call-hook.ts', false],
  ['stages/call-hook', false],
  ['call*', true],
  ['*hook', true],
  ['*', true],
  ['c*-*k', true],
  ['*x*', false],
  ['call?hook', true],
  ['call-hook?', false],
  ['[a-d]all-hook', true],
  ['[^a-d]all-hook', false],
  ['call[-]hook', false],
  [String.raw`call[\-]hook`, true],
  [String.raw`call\-hook`, true],
  ['[call-hook', false],
  ['call-hook\\', false],
  ['', false],
])('the pattern %j', (pattern, matches) => {
  const verbosity = new Verbosity(2, [{ pattern, verbosity: 4 }]);
  expect([2, 3, 4, 5].map((level) => verbosity.enabled(level, site))).toEqual([true, matches, matches, false]);
});

test('the first pattern that matches decides, and less than -v has no effect', () => {
  const modules = [
    { pattern: 'other', verbosity: 9 },
    { pattern: 'call-*', verbosity: 3 },
    { pattern: '*', verbosity: 8 },
  ];
  const verbosity = new Verbosity(0, modules);
  expect(verbosity.enabled(3, site)).toBe(true);
  expect(verbosity.enabled(4, site)).toBe(false);
  verbosity.level = 5;
  expect(verbosity.enabled(5, site)).toBe(true);
});

test('many stars take no more than time in proportion', () => {
  const pattern = `${'*a'.repeat(200)}b`;
  const verbosity = new Verbosity(0, [{ pattern, verbosity: 1 }]);
  expect(verbosity.enabled(1, { file: `x/${'a'.repeat(5_000)}.ts`, line: 1 })).toBe(false);
});
