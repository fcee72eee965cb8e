import { describe, expect, test } from 'vitest';
import { compaction } from './compaction.ts';
import { type Cases, Fixture, type Implementation } from './fixture.ts';
import { lifetimes } from './lifetimes.ts';
import { testAgainstModel } from './model.ts';
import { reads } from './reads.ts';
import { watches } from './watches.ts';
import { writes } from './writes.ts';

const concerns: Readonly<Record<string, Cases>> = { writes, reads, watches, compaction, lifetimes };

/** What every implementation of the storage contract must do; called from a test file with a way to open one. */
export function testStorage(implementation: Implementation): void {
  describe(implementation.name, () => {
    for (const [concern, cases] of Object.entries(concerns)) {
      describe(concern, () => {
        for (const [title, run] of Object.entries(cases)) {
          test(title, { timeout: 15_000 }, async () => {
            expect.hasAssertions();
            await using store = await Fixture.open(implementation);
            await run(store);
          });
        }
      });
    }
    test('does what the model does', { timeout: 120_000 }, async () => {
      expect.hasAssertions();
      await testAgainstModel(implementation);
    });
  });
}
