import { setTimeout as sleep } from 'node:timers/promises';
import {
  prefixEnd,
  type Storage,
  StorageError,
  type StorageEvent,
  type WatchSink,
  type WriteResult,
} from '../contract.ts';

/** An implementation of the contract under test. */
export interface Implementation {
  readonly name: string;
  /**
   * Tests share a store, so it may hold other keys and be at any revision, but nothing else writes to it while they
   * run.
   */
  open(): Promise<Storage>;
}

/** Test functions by what they assert. */
export type Cases = Readonly<Record<string, (store: Fixture) => Promise<void>>>;

let fixtures = 0;

/** A store and an unused prefix. */
export class Fixture {
  readonly storage: Storage;
  readonly prefix = `/conformance/${process.pid}/${++fixtures}/`;
  readonly end = prefixEnd(this.prefix);

  constructor(storage: Storage) {
    this.storage = storage;
  }

  key(name: string): string {
    return this.prefix + name;
  }

  /** A put that must succeed; returns its revision. */
  async put(name: string, value: string, expectedModRevision = 0): Promise<number> {
    return revisionOf(await this.storage.put({ key: this.key(name), value: Buffer.from(value), expectedModRevision }));
  }

  async delete(name: string, expectedModRevision: number): Promise<number> {
    return revisionOf(await this.storage.delete({ key: this.key(name), expectedModRevision }));
  }

  /** The value, or undefined. */
  async read(name: string, revision?: number): Promise<string | undefined> {
    const { kv } = await this.storage.get(this.key(name), revision === undefined ? {} : { revision });
    return kv === undefined ? undefined : valueText(kv.value);
  }

  /** `name=value` for all keys. */
  async list(revision?: number): Promise<string[]> {
    const { kvs } = await this.storage.range({
      start: this.prefix,
      end: this.end,
      ...(revision === undefined ? {} : { revision }),
    });
    return kvs.map((kv) => `${kv.key.slice(this.prefix.length)}=${valueText(kv.value)}`);
  }

  watch(afterRevision: number, range: { readonly start?: string; readonly end?: string } = {}): Recorder {
    const recorder = new Recorder(this.prefix);
    recorder.handle = this.storage.watch({ start: this.prefix, end: this.end, afterRevision, ...range }, recorder);
    return recorder;
  }
}

/** A sink that records its calls. */
export class Recorder implements WatchSink {
  readonly all: StorageEvent[] = [];
  readonly batches: (readonly StorageEvent[])[] = [];
  readonly progressed: number[] = [];
  handle: { requestProgress(): void; cancel(): void } | undefined;
  error: StorageError | undefined;
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  events(events: readonly StorageEvent[]): void {
    this.batches.push(events);
    this.all.push(...events);
  }

  progress(revision: number): void {
    this.progressed.push(revision);
  }

  failed(error: StorageError): void {
    this.error = error;
  }

  /** `revision+name=value (before)` or `revision-name (before)`. */
  get lines(): string[] {
    return this.all.map((event) => {
      const name = event.key.slice(this.#prefix.length);
      const before =
        event.previous === undefined ? '' : ` (${event.previous.modRevision}=${valueText(event.previous.value)})`;
      if (event.type === 'delete') return `${event.revision}-${name}${before}`;
      return `${event.revision}+${name}=${valueText(event.value ?? Buffer.from('missing value'))}${before}`;
    });
  }

  async until(done: (recorder: Recorder) => boolean, timeoutMs = 10_000): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!done(this)) {
      if (Date.now() > deadline)
        throw new Error(`waited ${timeoutMs} ms; seen: ${JSON.stringify(this.lines)}, error ${this.error}`);
      await sleep(2);
    }
  }
}

export function valueText(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
}

export function revisionOf(result: WriteResult): number {
  if (!result.succeeded) throw new Error(`the write did not succeed; the key is at ${result.current?.modRevision}`);
  return result.revision;
}

/** The code of the StorageError that `promise` rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof StorageError) return error.code;
    throw error;
  }
  return 'none';
}
