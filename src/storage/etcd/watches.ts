import { waitAtMost } from '../../api/time/deadline.ts';
import { byteOrdered } from '../../api/collections/ordered-map.ts';
import type { StorageError, StorageWatch, WatchRequest, WatchSink } from '../contract.ts';
import { EtcdWatch, type WatchSurroundings } from './etcd-watch.ts';

/** Without events for a long time, a watch would reconnect at a position before the last compaction. */
const refreshMs = 60_000;
/** A write is durable once acknowledged; do not wait forever for a watch whose member hangs. */
const toldLimitMs = 3000;

/** All watches of one store. */
export class Watches {
  readonly #surroundings: Omit<WatchSurroundings, 'onEnd'>;
  readonly #running = new Set<EtcdWatch>();
  readonly #refresh: NodeJS.Timeout;

  constructor(surroundings: Omit<WatchSurroundings, 'onEnd'>) {
    this.#surroundings = surroundings;
    this.#refresh = setInterval(() => {
      for (const watch of this.#running) watch.requestProgress();
    }, refreshMs).unref();
  }

  watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    const onEnd = (ended: EtcdWatch): void => void this.#running.delete(ended);
    const watch = new EtcdWatch(request, sink, { ...this.#surroundings, onEnd });
    this.#running.add(watch);
    return watch;
  }

  /** Resolves when all connected watches of `key` have received its change at `revision`. */
  async reached(key: string, revision: number): Promise<void> {
    const ordered = byteOrdered(key);
    const waiting: Promise<void>[] = [];
    for (const watch of this.#running) {
      const reached = watch.reached(ordered, revision);
      if (reached !== undefined) waiting.push(reached);
    }
    if (waiting.length === 0) return;
    await waitAtMost(toldLimitMs, Promise.all(waiting));
  }

  /** Ends all watches. */
  close(error: StorageError): void {
    clearInterval(this.#refresh);
    for (const watch of this.#running) watch.fail(error);
  }
}
