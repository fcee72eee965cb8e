import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { waitAtMost } from '../../api/time/deadline.ts';
import { errorOf } from '../../storage/ports/plain-error.ts';
import { CallPort, type Calls } from './call-port.ts';
import { startingThread } from './heap-growth.ts';
import type { LoadReading } from './load-windows.ts';
import type { ProcessCalls, ThreadCalls, ThreadData } from './thread-data.ts';

/** What the process does for a thread. */
export type CallsOfThread = Omit<ProcessCalls, 'serves' | 'failed'>;

export interface RunningThreadOptions {
  /** Gets what calls threw whose callers do not wait for them. */
  readonly onError: (error: unknown) => void;
  /** Limits of the thread's heap; a thread that needs more ends. Absent: those of the process. */
  readonly resourceLimits?: ResourceLimits | undefined;
  /** The path of what it runs; absent: the module beside this one. */
  readonly module?: string | undefined;
}

/** A thread that has been started, as the process sees it. */
export class RunningThread {
  /** Its functions. */
  readonly calls: CallPort<ThreadCalls>;
  /** Resolves once it serves; rejects if it ends before. */
  readonly serving: Promise<void>;
  /** Resolves once it has ended: to what was wrong, undefined if it was told to. */
  readonly ended: Promise<Error | undefined>;
  readonly #worker: Worker;
  #announced: Promise<void> | undefined;
  #failure: Error | undefined;

  /** `calls` are the functions of the process, for this thread. */
  constructor(data: ThreadData, calls: CallsOfThread, { onError, resourceLimits, module }: RunningThreadOptions) {
    const starting = startingThread();
    const worker = new Worker(module ?? threadFile(), {
      workerData: data,
      transferList: [
        data.log.port,
        ...data.stores.map(({ port }) => port),
        ...(data.exchanges ? [data.exchanges] : []),
      ],
      name: data.name,
      env: threadEnvironment(),
      ...(process.execArgv.some((arg) => programFlags.has(arg)) ? { execArgv: [] } : {}),
      ...(resourceLimits === undefined ? {} : { resourceLimits }),
    });
    this.#worker = worker;
    const serving = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<Error | undefined>();
    this.serving = serving.promise;
    this.ended = ended.promise;
    const started = (): void => starting[Symbol.dispose]();
    serving.promise.then(started, started);
    worker.on('error', (error) => (this.#failure ??= error instanceof Error ? error : new Error(String(error))));
    worker.once('exit', (code) => {
      const problem =
        this.#announced === undefined ? (this.#failure ?? new Error(`it ended with code ${code}`)) : undefined;
      this.calls.close(new Error('the thread has ended'));
      serving.reject(problem ?? new Error('the thread has been ended'));
      ended.resolve(problem);
    });
    const own: ProcessCalls = {
      ...calls,
      serves: () => serving.resolve(),
      failed: (error) => (this.#failure = errorOf(error)),
    };
    this.calls = new CallPort<ThreadCalls>(worker, { ...own } satisfies Calls, onError);
  }

  /** How busy it has been until now. */
  get load(): LoadReading {
    return this.#worker.performance.eventLoopUtilization();
  }

  /** Ends what clients are served, for which it has `graceMs`, and the thread. */
  end(graceMs: number): Promise<void> {
    return (this.#announced ??= this.#end(graceMs));
  }

  /** Ends the thread at once, whatever it does; `ended` then resolves to `problem`. */
  async stop(problem: Error): Promise<void> {
    this.#failure ??= problem;
    await this.#worker.terminate();
  }

  async #end(graceMs: number): Promise<void> {
    await waitAtMost(
      graceMs,
      this.calls.call('end', undefined).catch(() => undefined),
    );
    await waitAtMost(exitMs, this.ended);
    await this.#worker.terminate();
    await this.ended;
  }
}

/** How long a thread that has ended all that it serves may take to end by itself. */
const exitMs = 100;

/** Node's arguments that say what its first thread runs. A thread that is to inherit them does not start. */
const programFlags: ReadonlySet<string> = new Set(['--input-type=module', '--input-type=commonjs', '--eval', '-e']);

/** Threads load compiled code from where the process has kept it. Node tells them of it only by their environment. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  // Node adds a folder for its own version.
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** In sources, in a bundle, and in a part of a bundle. */
function threadFile(): URL {
  const names = import.meta.url.endsWith('.ts') ? ['./api-thread.ts'] : ['./api-thread.js', '../api-thread.js'];
  const urls = names.map((name) => new URL(name, import.meta.url));
  const found = urls.find((url) => existsSync(url));
  if (found === undefined) throw new Error(`the file of API threads is missing: ${urls.join(' or ')}`);
  return found;
}
