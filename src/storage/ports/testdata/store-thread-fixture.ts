import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Storage } from '../../contract.ts';
import { PortStorage } from '../port-storage.ts';
import type { StoreConnection } from '../protocol.ts';

/** A store that has a thread of its own, with this thread as one of those that use it. */
export class StoreThread implements AsyncDisposable {
  readonly #worker: Worker;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static async start(dataDir?: string): Promise<StoreThread> {
    const worker = new Worker(new URL('./store-thread.ts', import.meta.url), { workerData: { dataDir } });
    await once(worker, 'message');
    return new StoreThread(worker);
  }

  async connect(): Promise<StoreConnection> {
    return (await this.#ask('connect')) as StoreConnection;
  }

  /** The number of threads that are connected. */
  async connections(): Promise<number> {
    return (await this.#ask('size')) as number;
  }

  async open(): Promise<Storage> {
    return new PortStorage(await this.connect());
  }

  /** The thread ends, as if it had crashed. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#worker.threadId === -1) return;
    const ended = once(this.#worker, 'exit');
    this.#worker.postMessage('close');
    await ended;
  }

  /** One after the other: answers do not say what they answer. */
  #ask(what: string): Promise<unknown> {
    const result = this.#last.then(async () => {
      const answered = once(this.#worker, 'message');
      this.#worker.postMessage(what);
      const [answer] = (await answered) as [unknown];
      return answer;
    });
    this.#last = result;
    return result;
  }
}

/** The store as used by one more thread, which passes on to it what it is asked here. */
export async function openRelayed(store: { connect(): StoreConnection | Promise<StoreConnection> }): Promise<Storage> {
  const connection = await store.connect();
  const worker = new Worker(new URL('./relay-thread.ts', import.meta.url), {
    workerData: connection,
    transferList: [connection.port],
  });
  const [relayed] = (await once(worker, 'message')) as [StoreConnection];
  const storage = new PortStorage(relayed);
  return withEnd(storage, async () => {
    const ended = once(worker, 'exit');
    worker.postMessage('close');
    await ended;
  });
}

/** The storage, but what it needed ends with it. */
export function withEnd(storage: Storage, end: () => PromiseLike<void>): Storage {
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await storage[Symbol.asyncDispose]();
    await end();
  };
  return {
    get: (key, options) => storage.get(key, options),
    range: (request) => storage.range(request),
    put: (request) => storage.put(request),
    delete: (request) => storage.delete(request),
    watch: (request, sink) => storage.watch(request, sink),
    currentRevision: (options) => storage.currentRevision(options),
    compact: (revision) => storage.compact(revision),
    get compactedRevision() {
      return storage.compactedRevision;
    },
    check: () => storage.check(),
    [Symbol.asyncDispose]: () => (closed ??= close()),
  };
}

/** Each call goes to the next of several threads; after a write, consistent reads on all of them have seen it. */
export function inTurn(storages: readonly Storage[]): Storage {
  let last = 0;
  const next = (): Storage => storages[++last % storages.length]!;
  const seen = async <T>(written: T): Promise<T> => {
    await Promise.all(storages.map((storage) => storage.currentRevision()));
    return written;
  };
  return {
    get: (key, options) => next().get(key, options),
    range: (request) => next().range(request),
    put: (request) => next().put(request).then(seen),
    delete: (request) => next().delete(request).then(seen),
    watch: (request, sink) => next().watch(request, sink),
    currentRevision: (options) => next().currentRevision(options),
    compact: (revision) => next().compact(revision),
    get compactedRevision() {
      return Math.max(...storages.map(({ compactedRevision }) => compactedRevision));
    },
    check: () => next().check(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(storages.map((storage) => storage[Symbol.asyncDispose]()));
    },
  };
}
