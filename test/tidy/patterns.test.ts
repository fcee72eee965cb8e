import { describe, expect, test } from 'vitest';
import { superLinear } from './linear-pattern.ts';
import { patternsIn, patternsMadeBy } from './pattern-literals.ts';
import { projectFiles } from './sources.ts';

const production = projectFiles().filter((path) => /^src\/.*(?<!\.test)\.ts$/.test(path));
const found = new Map(production.map((path) => [path, patternsIn(path)]));

function fault({ source, flags }: { readonly source: string; readonly flags: string }): string[] {
  const why = superLinear(source, flags);
  return why === undefined ? [] : [`/${source}/${flags}: ${why}`];
}

describe('patterns in src/', () => {
  test('match in linear time', () => {
    const faults = [...found].flatMap(([path, { literals }]) =>
      literals.flatMap(fault).map((text) => `${path} ${text}`),
    );
    expect([...found.values()].flatMap(({ literals }) => literals).length).toBeGreaterThan(200);
    expect(faults).toEqual([]);
  });

  test('are literals, or constructed from constants while their file is loaded', async () => {
    const late = [...found].flatMap(([path, file]) => file.late.map((line) => `${path}:${line}`));
    expect(late).toEqual([]);
    const made = await patternsMadeBy([...found].filter(([, { early }]) => early).map(([path]) => path));
    expect(made.length).toBeGreaterThan(10);
    expect(made.flatMap(fault)).toEqual([]);
  });
});

describe('linear patterns', () => {
  test.each([
    /^(a+)+$/,
    /^(a|a)*$/,
    /^(a|ab|b)*$/,
    /^(a*)*$/,
    /^(?:a{1,100})+$/,
    /^a*a*$/,
    /^a*b?a*$/,
    /^\d+\.?\d*$/,
    /^\w+\s?\w+$/,
    /a+$/,
    / +$/g,
    /a.*b/,
    /"(?:[^"\\]|\\.)*"/,
    /a(?=.*b)/g,
    /(?<=a+)b/,
    /-----BEGIN ([a-z]+)[^]*?-----END \1/,
    /^(?:(?:a|b)+,?)*$/i,
    /^[a-z]*[A-Z]*$/i,
  ])('%s is not linear', (pattern) => {
    expect(superLinear(pattern.source, pattern.flags)).toBeDefined();
  });

  test.each([
    /^a+$/,
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    /^\d+(?:\.\d*)?$/,
    /a+/,
    / +$/y,
    /\s+/g,
    /^(?:a|b)*c$/,
    /^"(?:[^"\\]|\\.)*"/,
    /"[^"]*"/,
    /^(a?)*$/,
    /^[a-z]*[A-Z]*$/,
    /^(?:ab|ac)*$/,
    /^a{3,20}a{3,20}$/,
    /(?<=a)b+/,
    /^(?=a*$)b/,
    /a$|b$/m,
  ])('%s is linear', (pattern) => {
    expect(superLinear(pattern.source, pattern.flags)).toBeUndefined();
  });
});
