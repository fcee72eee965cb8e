import type {
  CallOptions,
  DeleteRequest,
  GetResult,
  PutRequest,
  RangeRequest,
  RangeResult,
  Storage,
  StorageWatch,
  WatchRequest,
  WatchSink,
  WriteResult,
} from '../../storage/contract.ts';

/** A storage that is used only once it has been prepared. Whoever disposes of it disposes of the one below. */
export class PreparedStorage implements Storage {
  readonly #below: Storage;
  readonly #prepared: () => Promise<void>;

  constructor(below: Storage, prepared: () => Promise<void>) {
    this.#below = below;
    this.#prepared = prepared;
  }

  async get(key: string, options?: { readonly revision?: number } & CallOptions): Promise<GetResult> {
    await this.#prepared();
    return this.#below.get(key, options);
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    await this.#prepared();
    return this.#below.range(request);
  }

  async put(request: PutRequest): Promise<WriteResult> {
    await this.#prepared();
    return this.#below.put(request);
  }

  async delete(request: DeleteRequest): Promise<WriteResult> {
    await this.#prepared();
    return this.#below.delete(request);
  }

  /** Whoever watches has read before, or wants to know of what is written from now on. */
  watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    return this.#below.watch(request, sink);
  }

  currentRevision(options?: CallOptions): Promise<number> {
    return this.#below.currentRevision(options);
  }

  compact(revision: number): Promise<void> {
    return this.#below.compact(revision);
  }

  get compactedRevision(): number {
    return this.#below.compactedRevision;
  }

  check(): Promise<void> {
    return this.#below.check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#below[Symbol.asyncDispose]();
  }
}
