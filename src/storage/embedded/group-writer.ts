import { type KeyValue, StorageError, type WriteResult } from '../contract.ts';
import { LogError } from './revision-log.ts';
import type { LogRow } from './protocol.ts';
import { type LogChange, changeOf, rowOf, type StoreState } from './state.ts';

/**
 * Group commit. A write is checked against the pending state (visible once all earlier writes are durable), gets its
 * revision and joins the last group; one group at a time is being written to disk, and the rest accumulate.
 *
 *     durable ... 41 | being written 42 43 44 | waiting 45 46
 *
 * If a group fails, it and all groups based on it are rejected, and the next write gets 42 again.
 */
export class GroupWriter {
  readonly #state: StoreState;
  readonly #log: AppendLog;
  /** The last non-durable write of each key. */
  readonly #pending = new Map<string, PendingWrite>();
  #groups: Group[] = [];
  #lastRevision: number;
  #flushing = false;

  constructor(state: StoreState, log: AppendLog) {
    this.#state = state;
    this.#log = log;
    this.#lastRevision = state.snapshot.revision;
  }

  async write(intent: WriteIntent): Promise<WriteResult> {
    const before = this.#pending.get(intent.key);
    const current = before === undefined ? this.#state.snapshot.keys.get(intent.key) : before.change.kv;
    const found = current?.modRevision ?? 0;
    if (found === intent.expectedModRevision && (intent.value !== undefined || found > 0))
      return this.#enqueue(intent, current);
    // Results must be durable: a conflict with a pending write is reported once that write has settled.
    if (before === undefined) return { succeeded: false, current, revision: this.#state.snapshot.revision };
    await before.group.settled.promise;
    await this.#log.ready();
    return this.write(intent);
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    while (this.#flushing) await this.#groups.at(-1)?.settled.promise;
  }

  /** Call after reloading the log. */
  resume(): void {
    this.#lastRevision = this.#state.snapshot.revision;
  }

  #enqueue(intent: WriteIntent, previous: KeyValue | undefined): Promise<WriteResult> {
    const revision = ++this.#lastRevision;
    const createRevision = intent.value === undefined ? 0 : (previous?.createRevision ?? revision);
    const row = { key: intent.key, revision, createRevision, previousRevision: previous?.modRevision ?? 0 };
    const change = changeOf({ ...row, value: intent.value, expiresAtMs: intent.expiresAtMs }, previous);
    const group = this.#openGroup();
    return new Promise((resolve, reject) => {
      const write: PendingWrite = { change, group, resolve, reject };
      group.writes.push(write);
      group.sizeBytes += intent.value?.length ?? 0;
      this.#pending.set(intent.key, write);
      if (this.#flushing) return;
      this.#flushing = true;
      // Writes that arrive in the same turn of the event loop form one group.
      setImmediate(() => void this.#flush());
    });
  }

  #openGroup(): Group {
    const last = this.#groups.at(-1);
    if (last !== undefined && !last.underWay && last.sizeBytes < groupBytes) return last;
    const group: Group = { writes: [], sizeBytes: 0, underWay: false, settled: Promise.withResolvers() };
    this.#groups.push(group);
    return group;
  }

  async #flush(): Promise<void> {
    for (let group = this.#groups[0]; group !== undefined; group = this.#groups[0]) {
      group.underWay = true;
      try {
        await this.#log.append(group.writes.map((write) => rowOf(write.change)));
      } catch (error) {
        this.#fail(error);
        continue;
      }
      this.#groups.shift();
      this.#commit(group);
    }
    this.#flushing = false;
  }

  #commit(group: Group): void {
    this.#state.apply(group.writes.map((write) => write.change));
    for (const write of group.writes) {
      const { key, revision } = write.change.event;
      if (this.#pending.get(key) === write) this.#pending.delete(key);
      write.resolve({ succeeded: true, revision });
    }
    group.settled.resolve();
  }

  #fail(error: unknown): void {
    const groups = this.#groups;
    this.#groups = [];
    this.#pending.clear();
    this.#lastRevision = this.#state.snapshot.revision;
    const message = error instanceof Error ? error.message : String(error);
    const known = error instanceof LogError && error.code === 'full';
    for (const group of groups) {
      const done = group.underWay && !known;
      const text = done ? `the write may not have reached the disk: ${message}` : `the write failed: ${message}`;
      for (const write of group.writes)
        write.reject(new StorageError(done ? 'unknown' : 'unavailable', text, { cause: error }));
      group.settled.resolve();
    }
  }
}

export interface AppendLog {
  /** Resolves when `append` may be called; rejects if the log cannot be opened. */
  ready(): Promise<void>;
  /** Writes all rows or none; resolves when they are durable. */
  append(rows: readonly LogRow[]): Promise<void>;
}

export interface WriteIntent {
  readonly key: string;
  /** undefined: delete. */
  readonly value: Uint8Array | undefined;
  readonly expectedModRevision: number;
  readonly expiresAtMs: number;
}

interface PendingWrite {
  readonly change: LogChange;
  readonly group: Group;
  resolve(result: WriteResult): void;
  reject(error: StorageError): void;
}

interface Group {
  readonly writes: PendingWrite[];
  sizeBytes: number;
  underWay: boolean;
  /** Resolves once its writes are visible or rejected. */
  readonly settled: PromiseWithResolvers<void>;
}

const groupBytes = 8 << 20;
