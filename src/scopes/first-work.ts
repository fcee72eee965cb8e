import type { StoreLocation } from '../registry/stored/store-kind.ts';
import { prefixEnd } from '../storage/contract.ts';
import { storagePages } from '../storage/pages.ts';

type WatchedLocation = Pick<StoreLocation, 'storage' | 'keyPrefix'>;

export interface WorkOptions {
  /** Whether the objects of one place, as JSON, are work; absent: any object is. */
  readonly hasWork?: ((stored: readonly string[]) => boolean) | undefined;
  readonly signal: AbortSignal;
}

const pageSize = 500;

/**
 * Resolves when there is work in one of the places, after the first change in one of them, when neither can be told, or
 * on `signal`. Keeps nothing of the objects.
 */
export async function firstWork(places: readonly WatchedLocation[], { hasWork, signal }: WorkOptions): Promise<void> {
  await firstOf(places, signal, (place, ending) => workIn(place, { hasWork, signal: ending }).catch(() => undefined));
}

/** Resolves after the first change in one of the places, when it cannot be told, or on `signal`. */
export async function firstChange(
  places: readonly WatchedLocation[],
  { afterRevision, signal }: { readonly afterRevision: number; readonly signal: AbortSignal },
): Promise<void> {
  await firstOf(places, signal, (place, ending) => change(place, afterRevision, ending));
}

async function firstOf(
  places: readonly WatchedLocation[],
  signal: AbortSignal,
  wait: (place: WatchedLocation, ending: AbortSignal) => Promise<void>,
): Promise<void> {
  const enough = new AbortController();
  const ending = AbortSignal.any([signal, enough.signal]);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  ending.addEventListener('abort', () => resolve(), { once: true });
  try {
    await Promise.race([ended, ...places.map((place) => wait(place, ending))]);
  } finally {
    enough.abort();
  }
}

async function workIn(place: WatchedLocation, { hasWork, signal }: WorkOptions): Promise<void> {
  // In a function of its own, because an async function keeps its values alive while it waits.
  const { isWork, revision } = await look(place, hasWork);
  if (!isWork && !signal.aborted) await change(place, revision, signal);
}

async function look(
  place: WatchedLocation,
  hasWork: WorkOptions['hasWork'],
): Promise<{ readonly isWork: boolean; readonly revision: number }> {
  const { stored, unreadable, revision } = await read(place, hasWork === undefined ? 1 : Number.POSITIVE_INFINITY);
  return { isWork: unreadable || (hasWork?.(stored) ?? stored.length > 0), revision };
}

/** All objects of one revision, or the first so many. */
async function read(
  { storage, keyPrefix }: WatchedLocation,
  atMost: number,
): Promise<{ readonly stored: readonly string[]; readonly unreadable: boolean; readonly revision: number }> {
  const stored: string[] = [];
  let revision = 0;
  for await (const page of storagePages(storage, keyPrefix, Math.min(pageSize, atMost))) {
    ({ revision } = page);
    // Whether there is work for it cannot be told.
    if (page.kvs.some((kv) => kv.unreadable !== undefined)) return { stored, unreadable: true, revision };
    stored.push(...page.kvs.map(({ value }) => Buffer.from(value.buffer, value.byteOffset, value.length).toString()));
    if (stored.length >= atMost) break;
  }
  return { stored, unreadable: false, revision };
}

async function change(
  { storage, keyPrefix }: WatchedLocation,
  afterRevision: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  const sink = { events: () => resolve(), progress: () => undefined, failed: () => resolve() };
  const watch = storage.watch({ start: keyPrefix, end: prefixEnd(keyPrefix), afterRevision }, sink);
  try {
    await promise;
  } finally {
    watch.cancel();
  }
}
