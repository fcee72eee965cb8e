import {
  type CallOptions,
  type DeleteRequest,
  type GetResult,
  type PutRequest,
  type RangeRequest,
  type RangeResult,
  type Storage,
  StorageError,
  type StorageWatch,
  type WatchRequest,
  type WatchSink,
  type WriteResult,
} from '../contract.ts';
import { type PortResponse, PortConnection } from './port-connection.ts';
import { PortWatch } from './port-watch.ts';
import type { GetOptions, StoreConnection } from './protocol.ts';

/**
 * The store of another thread of this process:
 *
 * | what | how |
 * |---|---|
 * | calls | one message for all of a turn of the event loop, and one for the answers of a group of writes |
 * | changes | sent to each watch as soon as they are visible; only then they are counted, only then acknowledged |
 * | the latest revision | the count, in shared memory: what a watch misses of it is in the port by then, and taken out |
 *
 * A store that others write to as well, such as etcd, is not counted but asked.
 */
export class PortStorage implements Storage {
  readonly #connection: PortConnection;
  #closed: Promise<void> | undefined;

  constructor(connection: StoreConnection) {
    this.#connection = new PortConnection(connection);
  }

  async get(key: string, options: GetOptions = {}): Promise<GetResult> {
    const { kvs, result } = await this.#connection.call({ type: 'get', key, options });
    return { kv: kvs[0], revision: result.revision };
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    const { kvs, result } = await this.#connection.call({ type: 'range', request });
    const { revision, more = false, count = 0 } = result;
    return { kvs, revision, more, count };
  }

  async put({ value, ...request }: PutRequest): Promise<WriteResult> {
    this.#connection.check();
    const place = this.#connection.place(value);
    return writeResult(await this.#connection.call({ type: 'put', request, place }));
  }

  async delete(request: DeleteRequest): Promise<WriteResult> {
    return writeResult(await this.#connection.call({ type: 'delete', request }));
  }

  watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    const latest = (): number | undefined => this.#connection.latest();
    return this.#connection.watch((call) => new PortWatch(request, sink, { call, latest }));
  }

  async currentRevision(options: CallOptions = {}): Promise<number> {
    this.#connection.check();
    const latest = this.#connection.latest();
    if (latest !== undefined) return latest;
    const { result } = await this.#connection.call({ type: 'currentRevision', options });
    return result.revision;
  }

  /** Takes in all changes that were acknowledged before, and of a store that others write to what it has told. */
  takeIn(): void {
    this.#connection.takeIn();
  }

  async compact(revision: number): Promise<void> {
    await this.#connection.call({ type: 'compact', revision });
  }

  get compactedRevision(): number {
    return this.#connection.cells.compacted;
  }

  /** How many blocks of shared memory this thread keeps for values of the store. */
  get blocks(): number {
    return this.#connection.blocks;
  }

  async check(): Promise<void> {
    await this.#connection.call({ type: 'check' });
  }

  /** Ends what this thread has in the store; the store itself goes on. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#connection.close(new StorageError('closed', 'the store has been closed'));
    return this.#closed;
  }
}

function writeResult({ kvs, result }: PortResponse): WriteResult {
  const { revision, succeeded = false } = result;
  return succeeded ? { succeeded, revision } : { succeeded, current: kvs[0], revision };
}
