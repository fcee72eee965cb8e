import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Storage, StorageEvent } from '../../src/storage/contract.ts';

/** The value that writers put over a key at `previous`: several pages long, with damage anywhere detectable. */
export function valueOf(key: string, previous: number): Buffer {
  const word = `${key}@${previous};`;
  return Buffer.from(word.repeat(1 + (previous % 9) * 120));
}

/** All changes from the first one on. */
export async function readHistory(storage: Storage): Promise<StorageEvent[]> {
  const revision = await storage.currentRevision();
  const events: StorageEvent[] = [];
  let failure: unknown;
  const watch = storage.watch(
    { start: '/', end: '0', afterRevision: 1 },
    { events: (batch) => events.push(...batch), progress: () => undefined, failed: (error) => (failure = error) },
  );
  while (1 + events.length < revision && failure === undefined) await sleep(2);
  watch.cancel();
  expect(failure).toBeUndefined();
  return events;
}

/**
 * Revisions are consecutive, every value is intact and follows its predecessor, and the latest state is the sum of the
 * changes.
 */
export async function checkWhole(storage: Storage): Promise<StorageEvent[]> {
  const events = await readHistory(storage);
  const latest = new Map<string, StorageEvent>();
  for (const [at, event] of events.entries()) {
    expect(event.revision).toBe(at + 2);
    const before = latest.get(event.key);
    expect(event.previous?.modRevision).toBe(before?.revision);
    if (event.value === undefined) latest.delete(event.key);
    else latest.set(event.key, event);
    if (event.value !== undefined) expect(valueOf(event.key, before?.revision ?? 0).equals(event.value)).toBe(true);
  }
  const { kvs } = await storage.range({ start: '/', end: '0' });
  expect(kvs.map((kv) => `${kv.key} ${kv.modRevision}`)).toEqual(
    [...latest.values()]
      .map((event) => `${event.key} ${event.revision}`)
      .sort((a, b) => (a.split(' ')[0]! < b.split(' ')[0]! ? -1 : 1)),
  );
  return events;
}
