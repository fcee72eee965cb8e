import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ControllerRow } from '../controllers/controller-table.ts';
import { firstWork } from './first-work.ts';
import { InProcessClient, type InProcessClientOptions } from './in-process-client.ts';

export interface ControllersOptions {
  readonly table: readonly ControllerRow[];
  readonly client: Omit<InProcessClientOptions, 'user'>;
  readonly onError: (error: unknown) => void;
}

/** The controllers, each as its own service account; they stop when this is disposed of. */
export class Controllers implements AsyncDisposable {
  readonly #options: ControllersOptions;
  readonly #stop = new AbortController();
  readonly #running = new AsyncDisposableStack();
  /** Of those that wait for something to work on. */
  readonly #waiting: Promise<void>[] = [];
  #starting = Promise.resolve();

  constructor(options: ControllersOptions) {
    this.#options = options;
  }

  /** For a server that is ready: nobody waits for a controller. Resolves when those have been started that have something to work on. */
  start(): Promise<void> {
    this.#starting = this.#startAll();
    return this.#starting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#starting;
    await Promise.all(this.#waiting);
    await this.#running.disposeAsync();
  }

  async #startAll(): Promise<void> {
    const { table, onError } = this.#options;
    for (const row of table) {
      // Requests go first.
      await nextTurn();
      if (row.concerns === undefined) await this.#startOne(row).catch(onError);
      else this.#waiting.push(this.#startWhenConcerned(row, row.concerns).catch(onError));
    }
  }

  async #startWhenConcerned(row: ControllerRow, concerns: Required<ControllerRow>['concerns']): Promise<void> {
    const { scopes } = this.#options.client;
    const places = concerns.flatMap(({ group, version, resource }) => {
      const store = scopes.now.scopeOf(group, version, resource)?.store;
      return store === undefined ? [] : [store];
    });
    if (places.length === 0) return;
    await firstWork(places, { hasWork: row.hasWork, signal: this.#stop.signal });
    await this.#startOne(row);
  }

  async #startOne({ name, start }: ControllerRow): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { client, onError } = this.#options;
    const context = { client: new InProcessClient({ ...client, user: userOf(name) }), clock: client.clock, onError };
    this.#running.use(await start(context));
  }
}

function userOf(name: string): InProcessClientOptions['user'] {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'];
  return { name: `system:serviceaccount:kube-system:${name}`, uid: '', groups, extra: {} };
}
