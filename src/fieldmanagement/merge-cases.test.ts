import { describe, expect, it } from 'vitest';
import { type OwnershipCase, runCase } from './testdata/run-case.ts';
import { casesOf } from './testdata/read-schema.ts';

describe('ownership', () => {
  it.each(casesOf<OwnershipCase>('merge.jsonl').map((each) => [each.name, each] as const))('%s', (_, each) => {
    const run = (): void => {
      const { object, managed } = runCase(each);
      if (each.object !== undefined) expect(object).toEqual(each.object);
      if (each.managed !== undefined) expect(managed).toEqual(each.managed);
    };
    if (each.fails === true) expect(run).toThrow(Error);
    else run();
  });
});
