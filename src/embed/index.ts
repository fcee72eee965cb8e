import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { configDefaults, type ServerConfig } from '../server/config.ts';
import { startServer } from '../server/start-server.ts';

/** All of it may be left out. */
export interface ApiServerOptions {
  /**
   * The folder that keeps the store, the certificates and `admin.kubeconfig`, made when missing. Without it everything is in memory and gone
   * when the server is closed.
   */
  readonly dataDir?: string;
  /** Any free port unless given. */
  readonly port?: number;
  /** The loopback interface, `127.0.0.1`, unless given. */
  readonly bindAddress?: string;
  /** API versions to serve or not, as kube-apiserver's `--runtime-config`: `{ 'api/beta': true }`. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>>;
  /** Gates to open or close, as kube-apiserver's `--feature-gates`. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** What is logged, as JSON lines on standard error; `error` unless given. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
}

/** A server that runs in this process. */
export interface ApiServer extends AsyncDisposable {
  /** `https://127.0.0.1:34567` */
  readonly url: string;
  /** A kubeconfig, as text, with the administrator's certificate: for the `loadFromString` of a client, or to be written to a file. */
  readonly kubeconfig: string;
  /** The same as a file that exists until the server is closed, and longer in a data directory. */
  readonly kubeconfigPath: string;
  /** Ends watches, lets running requests end, closes the store. Calling it again does nothing. */
  close(): Promise<void>;
}

/** Starts an API server in this process and resolves when it serves. It keeps the process alive until it is closed. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  await using started = new AsyncDisposableStack();
  const dataDir = options.dataDir === undefined ? await scratchFolder(started) : resolve(options.dataDir);
  const running = await startServer(configOf(options, dataDir));
  started.defer(() => running.close());
  const kubeconfig = await readFile(running.kubeconfigPath, 'utf8');
  const server = started.move();
  const close = (): Promise<void> => server.disposeAsync();
  const { url, kubeconfigPath } = running;
  return { url, kubeconfig, kubeconfigPath, close, [Symbol.asyncDispose]: close };
}

/** For what must be files even when the store is none: certificates and the kubeconfig. */
async function scratchFolder(started: AsyncDisposableStack): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'binnacle-'));
  started.defer(() => rm(path, { recursive: true, force: true }));
  return path;
}

function configOf(options: ApiServerOptions, dataDir: string): ServerConfig {
  const { serving, storage, api } = configDefaults;
  const { bindAddress = '127.0.0.1', port = 0, logLevel = 'error' } = options;
  return {
    ...configDefaults,
    dataDir,
    serving: { ...serving, bindAddress, securePort: port },
    storage: { ...storage, inMemory: options.dataDir === undefined },
    api: {
      ...api,
      runtimeConfig: new Map(Object.entries(options.runtimeConfig ?? {})),
      featureGates: new Map(Object.entries(options.featureGates ?? {})),
    },
    logging: { level: logLevel },
  };
}
