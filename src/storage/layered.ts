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
} from './contract.ts';

/**
 * A storage above another one, which handles everything that a subclass does not. Disposing of it disposes of the one
 * below.
 */
export abstract class LayeredStorage implements Storage {
  protected readonly below: Storage;

  constructor(below: Storage) {
    this.below = below;
  }

  get(key: string, options?: Parameters<Storage['get']>[1]): Promise<GetResult> {
    return this.below.get(key, options);
  }

  range(request: RangeRequest): Promise<RangeResult> {
    return this.below.range(request);
  }

  put(request: PutRequest): Promise<WriteResult> {
    return this.below.put(request);
  }

  delete(request: DeleteRequest): Promise<WriteResult> {
    return this.below.delete(request);
  }

  watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    return this.below.watch(request, sink);
  }

  currentRevision(options?: CallOptions): Promise<number> {
    return this.below.currentRevision(options);
  }

  compact(revision: number): Promise<void> {
    return this.below.compact(revision);
  }

  get compactedRevision(): number {
    return this.below.compactedRevision;
  }

  sizeOf(key: string): number | undefined {
    return this.below.sizeOf?.(key);
  }

  holdsLarger(prefix: string, bytes: number): boolean | undefined {
    return this.below.holdsLarger?.(prefix, bytes);
  }

  check(): Promise<void> {
    return this.below.check();
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.below[Symbol.asyncDispose]();
  }
}
