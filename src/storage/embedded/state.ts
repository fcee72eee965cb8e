import { OrderedMap } from '../../api/collections/ordered-map.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import type { KeyValue, StorageEvent } from '../contract.ts';
import { ownBytes } from '../own-bytes.ts';
import type { Sharing } from '../sharing.ts';
import { Expirations } from './expirations.ts';
import { LogHistory, type LogHistoryLimits } from './history.ts';
import type { LogRow } from './protocol.ts';
import { SharedValues } from './shared-values.ts';
import { everyKey, type Snapshot } from './snapshot.ts';
import { keyValueOf, type StoreContent } from './store-content.ts';
import { Watchers } from './watchers.ts';

/** The durable and therefore visible state: the latest values, recent changes, and the watches to notify. */
export class StoreState {
  snapshot: Snapshot;
  /** The oldest readable revision. */
  compacted: number;
  readonly history: LogHistory;
  readonly watchers = new Watchers();
  readonly expirations = new Expirations();
  /** There is nothing that could be read when the history has forgotten it. */
  readonly #forgets: boolean;
  /** Undefined: no other threads use the store. */
  #shared: SharedValues | undefined;

  constructor(
    { snapshot, compacted, events, eventsAfter, expirations }: StoreContent,
    limits: LogHistoryLimits,
    forgets = false,
  ) {
    this.#forgets = forgets;
    this.snapshot = snapshot;
    this.compacted = compacted;
    this.history = new LogHistory(eventsAfter, limits);
    for (const event of events) this.history.add(event);
    for (const expiry of expirations) this.expirations.add(expiry);
  }

  async content(): Promise<StoreContent> {
    const { snapshot, history } = this;
    const { floor } = history;
    const expirations = this.expirations.all();
    if (this.#shared === undefined)
      return { snapshot, compacted: floor, eventsAfter: floor, events: history.after(floor), expirations };
    // In shared memory, values move.
    const [copied, now] = [await copyOf(snapshot), snapshot.revision];
    return { snapshot: copied, compacted: now, eventsAfter: now, events: [], expirations };
  }

  /** Makes changes visible and notifies the watches. Revisions must follow the current one without a gap. */
  apply(changes: readonly LogChange[]): void {
    let { keys, revision } = this.snapshot;
    const events: StorageEvent[] = [];
    for (const { event, kv, expiresAtMs } of changes) {
      keys = kv === undefined ? keys.delete(event.key) : keys.set(event.key, kv);
      revision = event.revision;
      this.history.add(event);
      this.#expect(event.key, revision, expiresAtMs);
      events.push(event);
    }
    this.snapshot = { revision, keys };
    if (this.#forgets && this.history.floor > this.compacted) this.compactAt(this.history.floor);
    this.watchers.tell(events);
    this.#shared?.applied(revision);
  }

  /** Whether other threads use the store. */
  get isShared(): boolean {
    return this.#shared !== undefined;
  }

  /** Discards what is only visible before `revision`. */
  compactAt(revision: number): void {
    this.compacted = Math.max(this.compacted, revision);
    this.history.forgetUntil(revision);
    this.#shared?.sharing.compacted(this.compacted);
  }

  /** Values that come later are expected in shared memory. Those that are here move there in time slices. */
  shareWith(sharing: Sharing): void {
    this.#shared = new SharedValues(sharing, {
      all: () => keyValuesOf(this.snapshot),
      onMoved: (kvs) => this.watchers.tellMoved(kvs),
    });
    sharing.compacted(this.compacted);
    this.#shared.applied(this.snapshot.revision);
    void this.#shared.moveIn();
  }

  /** The value for a write: in memory of its own, which whoever wrote it does not keep alive or reuse. */
  ownValue(value: Uint8Array): Uint8Array {
    return this.#shared === undefined ? ownBytes(value) : this.#shared.sharing.share(value);
  }

  /** Rows of all current keys, in order; unaffected by later changes. */
  rows(): Iterable<LogRow> {
    return rowsOf(this.snapshot, this.expirations.byRevision());
  }

  #expect(key: string, modRevision: number, expiresAtMs: number): void {
    if (expiresAtMs > 0) this.expirations.add({ key, modRevision, expiresAtMs });
  }
}

function* rowsOf(snapshot: Snapshot, expirations: ReadonlyMap<number, number>): Generator<LogRow> {
  for (const { key, value, modRevision: revision, createRevision } of keyValuesOf(snapshot)) {
    const expiresAtMs = expirations.get(revision) ?? 0;
    yield { revision, key, value, createRevision, previousRevision: 0, expiresAtMs };
  }
}

/** They are looked up on demand, a slice at a time. */
function* keyValuesOf({ keys }: Snapshot): Generator<KeyValue> {
  let { start } = everyKey;
  for (;;) {
    const slice = keys.slice(start, everyKey.end, rowsPerSlice);
    yield* slice;
    const last = slice.at(-1);
    if (last === undefined || slice.length < rowsPerSlice) return;
    start = `${last.key}\0`;
  }
}

const rowsPerSlice = 512;

/** With values in memory of this thread. */
async function copyOf(snapshot: Snapshot): Promise<Snapshot> {
  const timeSlice = new TimeSlice();
  const kvs: KeyValue[] = [];
  for (const kv of keyValuesOf(snapshot)) {
    kvs.push({ ...kv, value: Buffer.from(kv.value) });
    if (timeSlice.isOver) await timeSlice.next();
  }
  return { ...snapshot, keys: OrderedMap.from(kvs, ({ key }) => key) };
}

export interface LogChange {
  readonly event: StorageEvent;
  /** The new state of the key; undefined: deleted. */
  readonly kv: KeyValue | undefined;
  readonly expiresAtMs: number;
}

export function changeOf(row: LogRow, previous: KeyValue | undefined): LogChange {
  const { key, revision, value, expiresAtMs } = row;
  const event: StorageEvent = { type: value === undefined ? 'delete' : 'put', key, revision, value, previous };
  return { event, kv: keyValueOf(row), expiresAtMs };
}

export function rowOf(change: LogChange): LogRow {
  const { event, kv, expiresAtMs } = change;
  return {
    revision: event.revision,
    key: event.key,
    value: event.value,
    createRevision: kv?.createRevision ?? 0,
    previousRevision: event.previous?.modRevision ?? 0,
    expiresAtMs,
  };
}
