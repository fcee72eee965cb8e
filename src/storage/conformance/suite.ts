import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Storage } from '../contract.ts';
import { closing } from './closing.ts';
import { compaction } from './compaction.ts';
import { type Cases, Fixture, type Implementation } from './fixture.ts';
import { lifetimes } from './lifetimes.ts';
import { testAgainstModel } from './model.ts';
import { reads } from './reads.ts';
import { watches } from './watches.ts';
import { writes } from './writes.ts';

const concerns: Readonly<Record<string, Cases>> = { writes, reads, watches, compaction, lifetimes };

/** The requirements on every implementation of the storage contract; a test file calls it with a way to open one. */
export function testStorage(implementation: Implementation): void {
  describe(implementation.name, () => {
    let shared: Storage;
    beforeAll(async () => {
      shared = await implementation.open();
    });
    afterAll(() => shared[Symbol.asyncDispose]());
    for (const [concern, cases] of Object.entries(concerns)) testCases(concern, cases, async () => shared);
    testCases('closing', closing, () => implementation.open());
    test('behaves like the model', { timeout: 120_000 }, async () => {
      expect.hasAssertions();
      await testAgainstModel(shared);
    });
  });
}

function testCases(concern: string, cases: Cases, open: () => Promise<Storage>): void {
  describe(concern, () => {
    for (const [title, run] of Object.entries(cases)) {
      test(title, { timeout: 15_000 }, async () => {
        expect.hasAssertions();
        await run(new Fixture(await open()));
      });
    }
  });
}
