import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { LogCalls, LogReply, LogRequest, LogRow, OpenedLog, WorkerMessage, WorkerOptions } from './protocol.ts';
import { LogError, type RevisionLog } from './revision-log.ts';
import { packRows, transfersOf, unpackRows } from './row-block.ts';

const spareBytes = 4 << 20;

/** The engine's side of the worker thread: one promise per request. */
export class LogClient implements RevisionLog {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #ended: LogError | undefined;
  /** The buffer of the last group, for reuse. */
  #spare: ArrayBuffer | undefined;
  readonly #exited: Promise<void>;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.on('error', (error) => this.#end(new LogError({ code: 'broken', message: String(error) })));
    worker.on('exit', () => this.#end(new LogError({ code: 'broken', message: 'the storage thread has ended' })));
  }

  /** Starts the thread and opens the log; passes its contents to `rows`, block by block. */
  static open(options: OpenOptions): Promise<{ readonly client: LogClient; readonly opened: OpenedLog }> {
    const worker = new Worker(options.workerUrl ?? defaultWorkerUrl(), {
      workerData: {
        path: options.path,
        syncs: options.syncs,
        load: options.rows !== undefined,
      } satisfies WorkerOptions,
      name: 'storage',
      // Node 24 marks node:sqlite experimental.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const client = new LogClient(worker);
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the storage thread ended while opening')));
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'rows') options.rows?.(unpackRows(message.rows));
        else if (message.type === 'opened') resolve({ client, opened: message.opened });
        else if (message.type === 'refused')
          reject(message.inUse ? new StoreInUseError(message.message) : new Error(message.message));
        else client.#receive(message);
      });
    });
  }

  /** undefined while the thread runs. */
  get ended(): LogError | undefined {
    return this.#ended;
  }

  async append(rows: readonly LogRow[]): Promise<void> {
    const block = packRows(rows, this.#spare);
    this.#spare = undefined;
    const bytes = await this.#call<'append'>({ type: 'append', rows: block }, transfersOf(block));
    if (bytes.byteLength <= spareBytes) this.#spare = bytes;
  }

  readonly changes: RevisionLog['changes'] = (request) => this.#call<'changes'>({ type: 'changes', ...request });

  readonly earlier: RevisionLog['earlier'] = (request) => this.#call<'earlier'>({ type: 'earlier', ...request });

  async compact(revision: number): Promise<void> {
    await this.#call<'compact'>({ type: 'compact', revision });
  }

  readonly defragment: RevisionLog['defragment'] = () => this.#call<'defragment'>({ type: 'defragment' });

  readonly slice: RevisionLog['slice'] = () => this.#call<'slice'>({ type: 'slice' });

  /** Closes the log after all earlier requests; resolves when the thread has ended. */
  async close(): Promise<void> {
    if (this.#ended === undefined) await this.#call<'close'>({ type: 'close' }).catch(() => undefined);
    await this.#exited;
  }

  #call<K extends keyof LogCalls>(
    request: LogCalls[K]['request'] & { readonly type: K },
    transfers: ArrayBuffer[] = [],
  ): Promise<LogCalls[K]['response']> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      // The worker answers each request with the answer type of the request.
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      this.#worker.postMessage({ id, request } satisfies { id: number; request: LogRequest }, transfers);
    });
  }

  #receive(message: LogReply): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'response') {
      waiting?.resolve(message.response);
      return;
    }
    const error = new LogError(message.failure);
    // After such a failure the thread closes the log and exits.
    if (error.code === 'broken') this.#end(error);
    waiting?.reject(error);
  }

  #end(error: LogError): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
  }
}

export interface OpenOptions {
  readonly path: string;
  /** Answers wait for the disk. */
  readonly syncs: boolean;
  readonly workerUrl?: URL | undefined;
  /** Absent: the contents are not loaded. */
  readonly rows?: (rows: readonly LogRow[]) => void;
}

/** Another process has the store open. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError';
  readonly code = 'STORE_IN_USE';
}

interface Waiting {
  resolve(response: LogCalls[keyof LogCalls]['response']): void;
  reject(error: LogError): void;
}

/**
 * Beside this file in source form; in a bundle beside the entry, of which this may be a chunk in a subfolder
 * (scripts/build.mjs).
 */
function defaultWorkerUrl(): URL {
  const places = import.meta.url.endsWith('.ts') ? ['./worker.ts'] : ['./storage-worker.js', '../storage-worker.js'];
  const urls = places.map((place) => new URL(place, import.meta.url));
  const found = urls.find((url) => existsSync(url));
  if (found === undefined) throw new Error(`the storage thread's file is missing: ${urls.join(' or ')}`);
  return found;
}
