import { expect, test } from 'vitest';
import { testStorage } from './conformance/suite.ts';
import { StorageError } from './contract.ts';
import { openEmbeddedStorage } from './embedded/engine.ts';
import { measured, type StoreUse } from './measured.ts';

const unused: StoreUse = { called: () => undefined, received: () => undefined, progressed: () => undefined };

testStorage({
  name: 'measured',
  open: async () => measured(await openEmbeddedStorage({ dataDir: undefined }), unused),
});

test('calls are told by operation, with their failures, and what watches receive', async () => {
  const calls: string[] = [];
  let events = 0;
  const below = await openEmbeddedStorage({ dataDir: undefined });
  const progress = Promise.withResolvers<void>();
  await using storage = measured(below, {
    called(operation, seconds, failed) {
      expect(seconds).toBeGreaterThanOrEqual(0);
      calls.push(failed ? `${operation} failed` : operation);
    },
    received: (count) => (events += count),
    progressed: () => progress.resolve(),
  });
  const watch = storage.watch(
    { start: 'a', end: 'b', afterRevision: 1 },
    { events: () => undefined, progress: () => undefined, failed: () => undefined },
  );
  const value = Buffer.from('1');
  const { revision } = await storage.put({ key: 'a', value, expectedModRevision: 0 });
  await storage.put({ key: 'a', value, expectedModRevision: revision });
  // A lost race is an answer, not a failure.
  await storage.put({ key: 'a', value, expectedModRevision: revision });
  await storage.get('a');
  await storage.range({ start: 'a', end: 'b' });
  await storage.currentRevision();
  await expect(storage.get('a', { revision: 99 })).rejects.toThrow(StorageError);
  await storage.delete({ key: 'a', expectedModRevision: revision + 1 });
  watch.requestProgress();
  await progress.promise;
  watch.cancel();
  const named = ['create', 'update', 'update', 'get', 'list', 'getCurrentResourceVersion', 'get failed', 'delete'];
  expect(calls).toEqual(named);
  expect(events).toBe(3);
});
