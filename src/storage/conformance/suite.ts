import { describe } from 'vitest';
import { testCompaction } from './compaction.ts';
import type { Implementation } from './fixture.ts';
import { testLifetimes } from './lifetimes.ts';
import { testAgainstModel } from './model.ts';
import { testReads } from './reads.ts';
import { testWatches } from './watches.ts';
import { testWrites } from './writes.ts';

/** What every implementation of the storage contract must do; called from a test file with a way to open one. */
export function testStorage(implementation: Implementation): void {
  describe(implementation.name, () => {
    describe('writes', () => testWrites(implementation));
    describe('reads', () => testReads(implementation));
    describe('watches', () => testWatches(implementation));
    describe('compaction', () => testCompaction(implementation));
    describe('lifetimes', () => testLifetimes(implementation));
    describe('model', () => testAgainstModel(implementation));
  });
}
