import { type Storage, StorageError } from './contract.ts';

/** Keeps the history of the last one to two intervals: each turn compacts at the revision of the previous turn. */
export function startCompactor(storage: Storage, options: CompactorOptions): Disposable {
  let last: number | undefined;
  const turn = async (): Promise<void> => {
    const before = last;
    last = await storage.currentRevision();
    if (before === undefined) return;
    try {
      await storage.compact(before);
    } catch (error) {
      // Nothing was written since the last turn, or another server compacts the same store.
      if (!(error instanceof StorageError && error.code === 'compacted')) throw error;
    }
  };
  const timer = setInterval(() => void turn().catch(options.onError), options.intervalMs).unref();
  void turn().catch(options.onError);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export interface CompactorOptions {
  /** kube-apiserver's --etcd-compaction-interval: five minutes. */
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}
