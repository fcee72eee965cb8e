import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allOf } from '../../../api/errors/findings.ts';
import { overlappingPathWarnings } from './overlapping-paths.ts';

function warnings(paths: readonly string[]): readonly string[] {
  const items = paths.map((path) => ({ key: 'k', path }));
  return allOf(overlappingPathWarnings([{ name: 'v', configMap: { name: 'c', items } }]));
}

/** One is at, above or below the other. */
function overlap(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

test('every pair of overlapping paths is told, in order', () => {
  const path = fc
    .array(fc.constantFrom('a', 'ab', 'b', ''), { minLength: 1, maxLength: 5 })
    .map((all) => all.join('/'));
  const property = fc.property(fc.array(path, { maxLength: 8 }), (given) => {
    const paths = given.map((each) => each.replace(/\/+$/, ''));
    const expected = paths.flatMap((one, index) =>
      one === ''
        ? []
        : paths
            .slice(0, index)
            .filter((other) => other !== '' && overlap(one, other))
            .map((other) => `volume "v" (ConfigMap "c"): overlapping paths: "${one}" with "${other}"`),
    );
    expect(warnings(given)).toEqual(expected);
  });
  fc.assert(property, { numRuns: 500 });
});

test('a path of a million segments is placed quickly', () => {
  const path = 'a/'.repeat(1_000_000);
  expect(warnings([`${path}b`, `${path}c`, `${path}b`])).toHaveLength(1);
});
