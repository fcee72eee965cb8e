import type { StoreKind } from '../registry/store-kind.ts';
import { prefixEnd } from '../storage/contract.ts';

type Place = Pick<StoreKind, 'storage' | 'keyPrefix'>;

/** Resolves when there is an object in one of the places, when that cannot be told, or on `signal`. Reads no object. */
export async function firstObject(places: readonly Place[], signal: AbortSignal): Promise<void> {
  const enough = new AbortController();
  const ending = AbortSignal.any([signal, enough.signal]);
  try {
    await Promise.race(places.map((place) => objectIn(place, ending).catch(() => undefined)));
  } finally {
    enough.abort();
  }
}

async function objectIn({ storage, keyPrefix }: Place, signal: AbortSignal): Promise<void> {
  const range = { start: keyPrefix, end: prefixEnd(keyPrefix) };
  const { kvs, revision } = await storage.range({ ...range, limit: 1 });
  if (kvs.length > 0 || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  const sink = { events: () => resolve(), progress: () => undefined, failed: () => resolve() };
  const watch = storage.watch({ ...range, afterRevision: revision }, sink);
  try {
    await promise;
  } finally {
    watch.cancel();
  }
}
