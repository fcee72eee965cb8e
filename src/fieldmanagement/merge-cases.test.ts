import { describe, expect, it } from 'vitest';
import { type OwnershipCase, runCase } from './testdata/run-case.ts';
import { casesOf } from './testdata/read-schema.ts';

describe('ownership', () => {
  it.each(casesOf<OwnershipCase>('merge.jsonl').map((each) => [each.name, each] as const))('%s', async (_, each) => {
    const run = async (): Promise<void> => {
      const { object, managed } = await runCase(each);
      if (each.object !== undefined) expect(object).toEqual(each.object);
      if (each.managed !== undefined) expect(managed).toEqual(each.managed);
    };
    if (each.fails === true) await expect(run()).rejects.toThrow(Error);
    else await run();
  });
});
