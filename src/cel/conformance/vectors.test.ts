import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareExpressions } from '../environments/kubernetes.ts';
import { faultOf } from './run-vector.ts';
import { conformanceCases } from './vectors.ts';

/** Vectors that fail, by the reason why they must. */
const exceptions = JSON.parse(readFileSync(new URL('testdata/exceptions.json', import.meta.url), 'utf8')) as {
  readonly [reason: string]: readonly string[];
};
const excepted = new Set(Object.values(exceptions).flat());
const cases = conformanceCases();

describe('conformance vectors of the language', () => {
  beforeAll(prepareExpressions);

  it('pass, except for known exceptions', () => {
    const faults = cases.filter(({ name }) => !excepted.has(name)).map((each) => [each.name, faultOf(each)]);
    expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([]);
    expect(faults.length).toBeGreaterThan(1400);
  });

  it.each(Object.entries(exceptions))('do not pass, since %s', (_reason, names) => {
    const listed = new Set(names);
    const passing = cases.filter((each) => listed.has(each.name) && faultOf(each) === undefined);
    expect(passing.map(({ name }) => name)).toEqual([]);
    expect(names.filter((name) => !cases.some((each) => each.name === name))).toEqual([]);
  });
});
