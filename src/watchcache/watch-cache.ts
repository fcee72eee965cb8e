import { outsideSpans } from '../api/contracts/span.ts';
import { secondsSince } from '../api/time/seconds-since.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../api/time/clock.ts';
import { msUntil, settledBy } from '../api/time/deadline.ts';
import { OrderedMap } from '../api/collections/ordered-map.ts';
import {
  type KeyValue,
  prefixEnd,
  type Storage,
  StorageError,
  type StorageEvent,
  type StorageWatch,
} from '../storage/contract.ts';
import { type AttributeReader, CacheEntry, type Renewal } from './cache-entry.ts';
import { type Beginning, pastEvents, stateEvents } from './beginning.ts';
import { CacheChange, type WatchEvent } from './cache-event.ts';
import { type CacheUse, unnoticed } from './cache-use.ts';
import type { WatchCacheCounts } from './watch-cache-counts.ts';
import { ChangeFeed } from './change-feed.ts';
import { History, type HistoryLimits } from './history.ts';
import { RevisionWaiters } from './revision-waiters.ts';
import { type CacheSnapshot, Snapshots } from './snapshots.ts';
import { closedError, isCompacted, isOvertaken } from './store-failures.ts';
import {
  type UnreadableEntries,
  unreadableEntries,
  type UnreadableEntry,
  withoutUnreadable,
  withUnreadable,
} from './unreadable-entries.ts';
import { WatchExpiredError } from './watch-expired-error.ts';
import { type ChangeReceiver, WatcherIndex, type WatchScope } from './watcher-index.ts';
import { storagePages } from '../storage/pages.ts';

export interface WatchCacheOptions {
  readonly storage: Storage;
  /** `/registry/pods/` */
  readonly prefix: string;
  readonly readAttributes: AttributeReader;
  readonly renew?: Renewal | undefined;
  readonly clock: Clock;
  readonly history?: HistoryLimits;
  /** No watch begins before this revision. */
  readonly begunAt?: number | undefined;
  /** How far before its start the cache's history reaches, in revisions of the whole store. */
  readonly remembered?: number | undefined;
  readonly use?: CacheUse;
}

/** The changes that a watcher wants. */
export interface CacheWatchRequest {
  readonly scope: WatchScope;
  /** Filters entries; absent: all. With a field value scope it must check that value too. */
  readonly selects?: (entry: CacheEntry) => boolean;
  /** Whether an entry is in the shard that is watched, asked before `selects`; absent: there are no shards. */
  readonly inShard?: (entry: CacheEntry) => boolean;
  /** Changes after this revision; undefined: the current state as ADDED events, then all later changes. */
  readonly afterRevision: number | undefined;
}

export interface CacheSubscription {
  readonly beginning: Beginning;
  /** The revision that a watcher has reached after the initial events. */
  readonly revision: number;
  /** The receiver has got all changes up to this revision; never less than those of the events that it got. */
  readonly deliveredRevision: number;
  cancel(): void;
}

export interface CacheWatchReceiver {
  /** Must not throw. */
  event(event: WatchEvent): void;
  /** The watch has ended; no more events follow. The receiver has got all changes up to `toldRevision`. */
  ended(reason: CacheWatchEnd, deliveredRevision: number): void;
}

/**
 * `reset`: the cache had to be refilled; `outdated`: the watch may have missed a deletion; `retired`: the resource can
 * no longer be watched.
 */
export type CacheWatchEnd = 'reset' | 'outdated' | 'retired';

const pageSize = 5000;
const defaultHistory: HistoryLimits = {
  windowMs: 75_000,
  minChanges: 100,
  maxChanges: 100_000,
  maxBytes: 64 * 1024 * 1024,
};
const maxSnapshots = 5000;
const retryMs = 200;
const forgetEveryMs = 15_000;
const freshenEveryMs = 1000;
const progressWaitMs = 250;
/** After a restart each of them is read from the log. */
const defaultRemembered = 100;

interface CacheWatcher extends ChangeReceiver {
  readonly scope: WatchScope;
  readonly receiver: CacheWatchReceiver;
}

/**
 * All objects of one resource in memory, updated by one storage watch, with the latest changes and states.
 *
 * `start` lists the resource at one revision and watches from shortly before, so that the history covers some time. If
 * the storage watch ends, the cache is refilled and its watchers are ended, so that clients relist.
 */
export class WatchCache {
  readonly #options: WatchCacheOptions;
  readonly #waiters = new RevisionWaiters();
  readonly #snapshots = new Snapshots(maxSnapshots);
  readonly #use: CacheUse;
  readonly #watchers: WatcherIndex<CacheWatcher>;
  #feed: ChangeFeed<CacheWatcher>;
  #entries = OrderedMap.empty<CacheEntry>();
  #unreadable: UnreadableEntries;
  #storedBytes = 0;
  /** Events of the current turn. */
  #delivered = 0;
  #revision = 0;
  #history = new History(0, defaultHistory);
  #watch: StorageWatch | undefined;
  #ready: Promise<void> | undefined;
  #forgetting: NodeJS.Timeout | undefined;
  /** Aborts a start that is waiting for the store. */
  #giveUp: ((error: StorageError) => void) | undefined;
  #serving = false;
  #retired = false;
  #closed = false;
  readonly #sharded = new Set<CacheWatcher>();
  readonly #counts: WatchCacheCounts = { changes: 0, initialEvents: 0, starts: 0, cutOff: 0, inOtherShards: 0 };
  #freshenedMs = 0;
  #freshening = Promise.resolve();

  constructor(options: WatchCacheOptions) {
    this.#options = options;
    this.#watchers = new WatcherIndex((entry) => entry.attributes(options.readAttributes).fields);
    this.#use = options.use ?? unnoticed;
    this.#feed = this.#makeFeed();
  }

  get counts(): Readonly<WatchCacheCounts> {
    return this.#counts;
  }

  /** Running watches of one shard. */
  get shardedWatches(): number {
    return this.#sharded.size;
  }

  /** Counts a watcher that was ended because it was too slow. */
  countCutOff(): void {
    this.#counts.cutOff += 1;
  }

  /** Size of the objects in the store, also of unreadable ones; undefined while it is not known. */
  get storedBytes(): number | undefined {
    return this.#serving ? this.#storedBytes : undefined;
  }

  get readAttributes(): AttributeReader {
    return this.#options.readAttributes;
  }

  /**
   * Resolves once the cache serves, starting it on the first call. Rejects with a StorageError, also at the deadline.
   */
  ready(deadlineMs?: number): Promise<void> {
    // Whoever is first does not wait for what comes later.
    this.#ready ??= this.#orNotReady(outsideSpans(() => this.#start()));
    if (deadlineMs === undefined || this.#serving) return this.#ready;
    const late = (): Error => new StorageError('timeout', 'the watch cache was not initialized in time');
    return settledBy(deadlineMs, this.#ready, late);
  }

  /** Whether `ready` need not be awaited. */
  get isServing(): boolean {
    return this.#serving;
  }

  /** If the cache cannot start, the next caller tries again. */
  #orNotReady(starting: Promise<void>): Promise<void> {
    const ready = starting.catch((error: unknown) => {
      if (this.#ready === ready) this.#ready = undefined;
      throw error;
    });
    return ready;
  }

  /** The current state of the cache; call `ready` first. */
  snapshot(): CacheSnapshot {
    return { revision: this.#revision, entries: this.#entries, unreadable: this.#unreadable };
  }

  /** Size in bytes of the value of a key, as far as it has been heard of; undefined: absent. */
  sizeOf(key: string): number | undefined {
    return this.#entries.get(key)?.value.length;
  }

  /** Advances to what other threads may have shown already: reads of any version never go back. */
  takeIn(): void {
    this.#watch?.takeIn?.();
  }

  /** The state at `revision`, which the cache must have reached; undefined if no longer available. */
  snapshotAt(revision: number): CacheSnapshot | undefined {
    return this.#snapshots.at(revision);
  }

  /** A state that includes all writes acknowledged before the call. */
  async current(deadlineMs: number): Promise<CacheSnapshot> {
    let succeeded = false;
    try {
      await this.ready(deadlineMs);
      const revision = await this.#options.storage.currentRevision({ deadlineMs });
      // A cache refilled in the meantime has no history yet.
      const ahead = this.#serving && this.#revision >= revision;
      if (!ahead && !(await this.waitFor(revision, deadlineMs))) {
        throw new StorageError('timeout', 'the watch cache did not catch up with the store in time');
      }
      succeeded = true;
      return this.snapshot();
    } finally {
      this.#use.readLatest(succeeded);
    }
  }

  /** Resolves when the cache has reached `revision`; false at the deadline. */
  async waitFor(revision: number, deadlineMs: number): Promise<boolean> {
    await this.ready(deadlineMs);
    if (this.#revision >= revision) return true;
    const beganMs = performance.now();
    this.#watch?.requestProgress();
    // The engine may already have answered.
    const reached = this.#revision >= revision || (await this.#waiters.wait(revision, msUntil(deadlineMs)));
    this.#use.waited(secondsSince(beganMs));
    return reached;
  }

  /**
   * Starts a watch; call `ready` first. From now on the receiver gets all changes after the beginning; the beginning
   * itself is consumed at the caller's pace. Throws a WatchExpiredError.
   */
  subscribe(request: CacheWatchRequest, receiver: CacheWatchReceiver): CacheSubscription {
    const { scope, inShard, afterRevision } = request;
    const selects = this.#selectorOf(request);
    const beginning =
      afterRevision === undefined
        ? stateEvents(this.#entries, { scope, selects }, this.#options.prefix)
        : pastEvents(this.#changesAfter(afterRevision), { scope, selects });
    // The beginning includes changes that are still being delivered to other watchers.
    const knownRevision = Math.max(this.#revision, afterRevision ?? 0);
    let eventRevision = knownRevision;
    const watcher: CacheWatcher = {
      scope,
      receiver,
      receive: (change) => {
        if (change.revision <= knownRevision) return;
        const event = change.eventFor(selects);
        if (event === undefined) return;
        eventRevision = change.revision;
        receiver.event(event);
        this.#delivered += 1;
      },
    };
    this.#watchers.add(scope, watcher);
    if (inShard !== undefined) this.#sharded.add(watcher);
    // The end must not be delivered before this call returns.
    if (this.#retired) queueMicrotask(() => this.#endWatcher(watcher, 'retired'));
    const delivered = (): number => Math.max(this.deliveredRevision, eventRevision);
    return {
      beginning: this.#counted(beginning),
      revision: this.#revision,
      get deliveredRevision() {
        return delivered();
      },
      cancel: () => {
        this.#watchers.delete(scope, watcher);
        this.#sharded.delete(watcher);
      },
    };
  }

  /** The filter of a watch, which counts what is in other shards. */
  #selectorOf({ selects, inShard }: CacheWatchRequest): CacheWatchRequest['selects'] {
    if (inShard === undefined) return selects;
    return (entry) => {
      if (inShard(entry)) return selects?.(entry) ?? true;
      this.#counts.inOtherShards += 1;
      return false;
    };
  }

  /**
   * Watches like `subscribe`, but delivers the initial events to the receiver before it returns. Returns a function
   * that ends the watch.
   */
  watch(request: CacheWatchRequest, receiver: CacheWatchReceiver): () => void {
    const subscription = this.subscribe(request, receiver);
    for (const events of subscription.beginning) for (const event of events) receiver.event(event);
    return () => subscription.cancel();
  }

  /** All watchers have received all changes up to this revision. */
  get deliveredRevision(): number {
    return this.#feed.deliveredRevision ?? this.#revision;
  }

  /**
   * Advances the revision of an idle cache: requests progress from the store, at most once a second, and resolves when
   * it arrives or after a timeout.
   */
  freshen(): Promise<void> {
    const nowMs = this.#options.clock.now();
    if (nowMs - this.#freshenedMs < freshenEveryMs) return this.#freshening;
    this.#freshenedMs = nowMs;
    const before = this.#revision;
    this.#watch?.requestProgress();
    // The engine may already have answered.
    const delivered = this.#revision > before || this.#waiters.wait(before + 1, progressWaitMs);
    this.#freshening = Promise.resolve(delivered).then(() => undefined);
    return this.#freshening;
  }

  /**
   * Ends all current and future watchers once everything written so far has been delivered, or at the deadline. Reads
   * are served until `close`.
   */
  async retire(deadlineMs: number): Promise<void> {
    this.#retired = true;
    try {
      if (this.#serving) await this.current(deadlineMs);
    } catch (error) {
      // Does not wait for a store that cannot report its revision.
      if (!(error instanceof StorageError)) throw error;
    }
    await this.#feed.allDelivered();
    this.#endWatchers('retired');
  }

  /** Ends the storage watch and all watchers. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#forgetting);
    this.#watch?.cancel();
    this.#giveUp?.(closedError());
    this.#endWatchers('reset');
  }

  *#counted(beginning: Beginning): Generator<readonly WatchEvent[]> {
    for (const events of beginning) {
      this.#counts.initialEvents += events.length;
      yield events;
    }
  }

  #changesAfter(revision: number): readonly CacheChange[] {
    if (revision < this.#history.floor) throw new WatchExpiredError(revision, this.#history.floor);
    return this.#history.after(revision);
  }

  /** Starts over if the list was compacted, or its keys changed, before the watch could start from it. */
  async #start(): Promise<void> {
    for (;;) {
      try {
        return await this.#listAndFollow();
      } catch (error) {
        if (!this.#closed) this.#use.notFilled();
        if (this.#closed || !isOvertaken(error)) throw error;
      }
    }
  }

  async #listAndFollow(): Promise<void> {
    const { storage, prefix } = this.#options;
    const beganMs = performance.now();
    const entries: CacheEntry[] = [];
    let storedBytes = 0;
    const unreadable: UnreadableEntry[] = [];
    let revision = 0;
    for await (const page of storagePages(storage, prefix, pageSize)) {
      ({ revision } = page);
      for (const kv of page.kvs) {
        const { key, value, modRevision, unreadable: why } = kv;
        storedBytes += storedBytesOf(kv);
        if (why === undefined) entries.push(this.#entryOf(key, value, modRevision));
        else unreadable.push({ key, modRevision, unreadable: why, known: undefined });
      }
    }
    if (this.#closed) throw closedError();
    // No watcher may continue from the previous state.
    this.#endWatchers('reset');
    this.#entries = OrderedMap.from(entries, (entry) => entry.key);
    this.#unreadable = unreadableEntries(unreadable);
    this.#storedBytes = storedBytes;
    this.#revision = revision;
    this.#snapshots.clear();
    this.#snapshots.add(this.snapshot());
    await this.#follow(revision);
    this.#advance(revision);
    this.#counts.starts += 1;
    this.#serving = true;
    this.#use.filled(secondsSince(beganMs));
  }

  /**
   * Watches the store from the list at `revision` on, and fills the history with slightly earlier changes if the store
   * still has them.
   */
  async #follow(revision: number): Promise<void> {
    const { begunAt = 0, remembered = defaultRemembered } = this.#options;
    const from = Math.max(begunAt, revision - remembered);
    try {
      await this.#open(from, revision);
    } catch (error) {
      if (!isCompacted(error)) throw error;
      await this.#open(Math.min(error.revision ?? revision, revision), revision);
    }
  }

  /** Resolves when all changes after `from` up to `listed` are in the history. */
  #open(from: number, listed: number): Promise<void> {
    const { storage, prefix, history = defaultHistory } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#history = new History(from, history);
    let opened = false;
    this.#watch = storage.watch(
      { start: prefix, end: prefixEnd(prefix), afterRevision: from },
      {
        events: (events) => {
          for (const event of events) if (event.revision <= listed) this.#remember(event);
          this.#apply(events.filter((event) => event.revision > listed));
        },
        progress: (reached) => {
          opened ||= reached >= listed;
          if (opened) resolve();
          this.#advance(reached);
        },
        failed: (error) => (opened ? this.#restart() : reject(error)),
        moved: (kvs) => this.#move(kvs),
      },
    );
    this.#giveUp = reject;
    this.#watch.requestProgress();
    return promise;
  }

  #entryOf(key: string, value: Uint8Array, modRevision: number): CacheEntry {
    return new CacheEntry(key, value, modRevision, this.#options.renew);
  }

  #move(kvs: readonly KeyValue[]): void {
    for (const { key, modRevision, value } of kvs) {
      const entry = this.#entries.get(key);
      if (entry?.modRevision === modRevision) entry.moveTo(value);
    }
  }

  /** A change that the list already includes. */
  #remember({ key, value, revision, unreadable, previous }: StorageEvent): void {
    if (unreadable !== undefined) return;
    const current = value === undefined ? undefined : this.#entryOf(key, value, revision);
    const isKnown = previous !== undefined && previous.unreadable === undefined;
    const before = isKnown ? this.#entryOf(key, previous.value, previous.modRevision) : undefined;
    if (current === undefined && before === undefined) return;
    const change = new CacheChange({ revision, key, current, previous: before, seenMs: this.#options.clock.now() });
    change.delivered();
    this.#history.add(change);
  }

  #apply(events: readonly StorageEvent[]): void {
    const seenMs = this.#options.clock.now();
    const changes: CacheChange[] = [];
    let lost: number | undefined;
    for (const event of events) {
      if (this.#isLost(event)) lost = event.revision;
      this.#storedBytes += storedBytesOf(event) - (event.previous === undefined ? 0 : storedBytesOf(event.previous));
      const change = this.#applied(event, seenMs);
      if (change !== undefined) {
        this.#history.add(change);
        this.#counts.changes += 1;
        changes.push(change);
      }
      this.#revision = Math.max(this.#revision, event.revision);
      this.#snapshots.add({ ...this.snapshot(), revision: event.revision });
    }
    this.#feed.tell(changes);
    if (lost !== undefined) this.#beginHistory(lost);
    this.#snapshots.forgetBefore(this.#history.floor);
    this.#forgetLater();
    this.#advance(this.#revision);
  }

  /**
   * Undefined if watchers are not notified: those that know an object that became unreadable keep it until it is
   * deleted or replaced.
   */
  #applied({ key, value, revision, unreadable }: StorageEvent, seenMs: number): CacheChange | undefined {
    const previous = this.#entries.get(key) ?? this.#unreadable?.get(key)?.known;
    if (unreadable !== undefined) {
      this.#entries = this.#entries.delete(key);
      const entry = { key, modRevision: revision, unreadable, known: previous };
      this.#unreadable = withUnreadable(this.#unreadable, entry);
      return undefined;
    }
    this.#unreadable = withoutUnreadable(this.#unreadable, key);
    const current = value === undefined ? undefined : this.#entryOf(key, value, revision);
    this.#entries = current === undefined ? this.#entries.delete(key) : this.#entries.set(key, current);
    previous?.supersede();
    const isKnown = current !== undefined || previous !== undefined;
    return isKnown ? new CacheChange({ revision, key, current, previous, seenMs }) : undefined;
  }

  /** Watchers may know an object that could not be read when the cache was filled: none can be told of its deletion. */
  #isLost({ key, value }: StorageEvent): boolean {
    const found = this.#unreadable?.get(key);
    return value === undefined && found !== undefined && found.known === undefined;
  }

  /** Nobody watches on from before `revision`: all have to list again. */
  #beginHistory(revision: number): void {
    this.#history = new History(revision, this.#options.history ?? defaultHistory);
    this.#endWatchers('outdated');
  }

  #advance(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
    this.#waiters.reached(this.#revision);
  }

  /** Without anything to forget there is no timer: caches at rest take no time. */
  #forgetLater(): void {
    if (this.#history.ages) this.#forgetting ??= setTimeout(() => this.#forget(), forgetEveryMs).unref();
  }

  #forget(): void {
    this.#forgetting = undefined;
    this.#history.forget(this.#options.clock.now());
    this.#snapshots.forgetBefore(this.#history.floor);
    this.#forgetLater();
  }

  #restart(): void {
    if (this.#closed) return;
    this.#serving = false;
    this.#endWatchers('reset');
    this.#ready = this.#orNotReady(this.#startAgain());
    // It may have no waiters at the moment.
    this.#ready.catch(() => undefined);
  }

  async #startAgain(): Promise<void> {
    for (;;) {
      await sleep(retryMs, undefined, { ref: false });
      try {
        await this.#start();
        return;
      } catch (error) {
        if (this.#closed || !(error instanceof StorageError) || error.code === 'closed') throw error;
      }
    }
  }

  #makeFeed(): ChangeFeed<CacheWatcher> {
    return new ChangeFeed(this.#watchers, (sinceMs) => {
      if (this.#delivered === 0) return;
      this.#use.dispatched(secondsSince(sinceMs), this.#delivered);
      this.#delivered = 0;
    });
  }

  #endWatchers(reason: CacheWatchEnd): void {
    const delivered = this.deliveredRevision;
    // Pending changes do not concern later watchers.
    this.#feed = this.#makeFeed();
    for (const watcher of this.#watchers.everyone()) this.#endWatcher(watcher, reason, delivered);
  }

  #endWatcher(watcher: CacheWatcher, reason: CacheWatchEnd, delivered = this.deliveredRevision): void {
    this.#watchers.delete(watcher.scope, watcher);
    watcher.receiver.ended(reason, delivered);
  }
}

function storedBytesOf({ storedBytes, value }: Pick<StorageEvent, 'storedBytes' | 'value'>): number {
  return storedBytes ?? value?.byteLength ?? 0;
}
