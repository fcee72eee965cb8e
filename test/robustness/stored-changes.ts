import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json/json.ts';
import { prefixEnd } from '../../src/storage/contract.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/engine.ts';
import { nameOfKey, stateOf } from './objects.ts';
import type { StoredChange } from './recorded.ts';

const registry = '/registry/';
const range = { start: registry, end: prefixEnd(registry) };

/** All changes on disk in a server's embedded store. */
export async function embeddedChanges(dataDir: string): Promise<readonly StoredChange[]> {
  await using storage = await openEmbeddedStorage({ dataDir: join(dataDir, 'storage') });
  const changes: StoredChange[] = [];
  let reached = 0;
  let failure: unknown;
  const watch = storage.watch(
    { ...range, afterRevision: 1 },
    {
      events: (events) =>
        changes.push(...events.flatMap(({ key, value, revision }) => changeOf(key, value, revision) ?? [])),
      progress: (revision) => (reached = revision),
      failed: (error) => (failure = error),
    },
  );
  watch.requestProgress();
  const revision = await storage.currentRevision();
  while (reached < revision && failure === undefined) await sleep(5);
  watch.cancel();
  if (failure !== undefined) throw failure;
  return changes;
}

/** A change of an object under test; undefined for others. */
export function changeOf(key: string, value: Uint8Array | undefined, revision: number): StoredChange | undefined {
  const name = nameOfKey(key);
  if (name === undefined) return undefined;
  if (value === undefined) return { name, revision, now: undefined };
  // Stored objects are JSON objects.
  const object = JSON.parse(Buffer.from(value).toString('utf8')) as JsonObject;
  return { name, revision, now: stateOf(object, revision) };
}
