import { join } from 'node:path';
import { MovableClock } from '../api/time/clock.ts';
import type { RunningServer, ServerConfig } from '../server/config.ts';
import { pkiFolder } from '../server/listening/serving.ts';
import { startServer, type StartOptions } from '../server/start-server.ts';
import { restoredContent, type StoreContent } from '../storage/embedded/store-content.ts';
import type { ServerFamily } from './server-family.ts';
import type { User, UserCertificates } from './users.ts';

/** How a server was made, and its clones are. */
export interface ServerOrigin {
  readonly config: ServerConfig;
  readonly family: ServerFamily;
  readonly users: UserCertificates;
}

/** The server that runs now, and its time. */
export interface Current {
  /** Undefined: a reset has failed. */
  running: RunningServer | undefined;
  clock: MovableClock;
}

/** A state to return to. */
export interface Prepared {
  readonly content: StoreContent;
  readonly aheadMs: number;
}

interface OwnParts {
  readonly current: Current;
  /** Ends the current server and what belongs to it. */
  readonly opened: AsyncDisposableStack;
  /** What `reset` returns to; undefined: nothing yet. */
  readonly prepared: Prepared | undefined;
}

/** Starts a server that ends with `opened`. */
export async function startCurrent(
  config: ServerConfig,
  opened: AsyncDisposableStack,
  { aheadMs, ...options }: Pick<StartOptions, 'content' | 'identity'> & Partial<Prepared> = {},
): Promise<{ readonly current: Current; readonly running: RunningServer }> {
  const clock = new MovableClock(aheadMs);
  const running = await startServer(config, { ...options, clock });
  const current: Current = { running, clock };
  opened.defer(async () => current.running?.close());
  return { current, running };
}

/** A running server with what tests do to it as a whole; see `ApiServer`. */
export class EmbeddedServer implements AsyncDisposable {
  readonly url: string;
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;
  readonly users: Readonly<Record<string, User>>;
  readonly clock = { now: () => this.#current.clock.now(), advance: (ms: number) => this.#advance(ms) };
  readonly #origin: ServerOrigin;
  readonly #opened: AsyncDisposableStack;
  readonly #current: Current;
  #prepared: Prepared | undefined;
  /** Settled when everything asked for so far is done. */
  #last: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  private constructor(
    origin: ServerOrigin,
    parts: OwnParts & Pick<EmbeddedServer, 'url' | 'kubeconfigPath' | 'kubeconfig' | 'users'>,
  ) {
    this.#origin = origin;
    this.#opened = parts.opened;
    this.#current = parts.current;
    this.#prepared = parts.prepared;
    this.url = parts.url;
    this.kubeconfigPath = parts.kubeconfigPath;
    this.kubeconfig = parts.kubeconfig;
    this.users = parts.users;
  }

  /** `opened` is moved to the result. */
  static async of(
    origin: ServerOrigin,
    { url, kubeconfig, kubeconfigPath }: RunningServer,
    { opened, ...parts }: OwnParts,
  ): Promise<EmbeddedServer> {
    const users = await usersOf(origin, kubeconfigPath);
    return new EmbeddedServer(origin, { ...parts, opened: opened.move(), url, kubeconfigPath, kubeconfig, users });
  }

  readonly snapshot = (): Promise<void> =>
    this.#inTurn('snapshot', async (running) => {
      refuseOnDisk(this.#origin.config, 'snapshot');
      this.#prepared = await preparedOf(running, this.#current, 'snapshot');
    });

  readonly reset = (): Promise<void> =>
    this.#inTurn('reset', async (running) => {
      const { content, identity, url } = running;
      const { config } = this.#origin;
      refuseOnDisk(config, 'reset');
      const prepared = this.#prepared;
      if (content === undefined || prepared === undefined) throw new ForeignStoreError('reset');
      this.#current.running = undefined;
      await running.close();
      const { revision } = (await content()).snapshot;
      const serving = { ...config.serving, securePort: Number(new URL(url).port) };
      const restored = restoredContent(prepared.content, revision);
      const clock = new MovableClock(prepared.aheadMs);
      this.#current.running = await startServer({ ...config, serving }, { content: restored, identity, clock });
      this.#current.clock = clock;
    });

  readonly clone = (): Promise<EmbeddedServer> =>
    this.#inTurn('clone', async (original) => {
      const { family, users, config } = this.#origin;
      const prepared = await preparedOf(original, this.#current, 'clone');
      await using opened = new AsyncDisposableStack();
      const { folder } = opened.use(await family.join());
      const origin = { family, users, config: cloneConfig(config, folder) };
      const { running, current } = await startCurrent(origin.config, opened, {
        ...prepared,
        identity: original.identity,
      });
      return await EmbeddedServer.of(origin, running, { current, prepared, opened });
    });

  readonly close = (): Promise<void> =>
    (this.#closed ??= this.#last.catch(() => undefined).then(() => this.#opened.disposeAsync()));

  readonly [Symbol.asyncDispose] = this.close;

  #advance(ms: number): void {
    if (this.#origin.config.serving.apiThreads !== 1) throw new Error('the clock can be moved only with one thread');
    this.#current.clock.advance(ms);
  }

  #inTurn<Result>(what: string, work: (running: RunningServer) => Promise<Result>): Promise<Result> {
    if (this.#closed !== undefined) return Promise.reject(new Error(`${what}: the server has been closed`));
    const done = this.#last
      .catch(() => undefined)
      .then(() => {
        const { running } = this.#current;
        if (running === undefined) throw new Error(`${what}: a reset of the server has failed`);
        return work(running);
      });
    this.#last = done;
    return done;
  }
}

/** Loaded if there are any. */
async function usersOf({ users, config }: ServerOrigin, kubeconfigPath: string): Promise<EmbeddedServer['users']> {
  if (users.size === 0) return {};
  const [{ writeUsers }, { accessTo }] = await Promise.all([import('./users.ts'), import('./prepare-server.ts')]);
  const folder = join(config.dataDir, 'users');
  return Object.fromEntries(
    await writeUsers(users, { folder, access: await accessTo(kubeconfigPath), syncs: config.storage.syncs }),
  );
}

/** Everything that belongs to a start has been written by then, so that no copy has to write it again. */
async function preparedOf({ settled, content }: RunningServer, { clock }: Current, what: string): Promise<Prepared> {
  if (content === undefined) throw new ForeignStoreError(what);
  await settled;
  return { content: await content(), aheadMs: clock.aheadMs };
}

/** The configuration of a clone: its certificates are shared, but nothing that exists once on a machine. */
function cloneConfig(config: ServerConfig, dataDir: string): ServerConfig {
  const { serving, storage, profiling } = config;
  return {
    ...config,
    dataDir,
    serving: { ...serving, securePort: 0, certDir: pkiFolder(config) },
    storage: { ...storage, inMemory: true, syncs: false },
    profiling: { ...profiling, socketPath: undefined },
  };
}

function refuseOnDisk({ storage, dataDir }: ServerConfig, what: string): void {
  if (storage.inMemory) return;
  const message = `${what}: the server keeps its objects in ${dataDir}; clone it, and reset the clone`;
  throw new ForeignStoreError(what, message);
}

/** The objects of a server are not only in memory. */
export class ForeignStoreError extends Error {
  override readonly name = 'ForeignStoreError';
  readonly code = 'FOREIGN_STORE';

  constructor(what: string, message = `${what}: the objects of the server are in etcd, outside of this process`) {
    super(message);
  }
}
