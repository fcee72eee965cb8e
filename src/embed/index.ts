import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { configDefaults, type ServerConfig } from '../server/config.ts';
import { startServer } from '../server/start-server.ts';

/** All options are optional. */
export interface ApiServerOptions {
  /**
   * Folder of the store, the certificates and `admin.kubeconfig`, created when missing. Without it everything is in
   * memory and lost when the server is closed.
   */
  readonly dataDir?: string;
  /** Any free port by default. */
  readonly port?: number;
  /** The loopback interface, `127.0.0.1`, by default. */
  readonly bindAddress?: string;
  /** API versions to enable or disable, as kube-apiserver's `--runtime-config`: `{ 'api/beta': true }`. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>>;
  /** Feature gates, as kube-apiserver's `--feature-gates`. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** The least severe lines of the log, on standard error; `error` by default. `debug` shows every request. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
}

/** A server that runs in this process. */
export interface ApiServer extends AsyncDisposable {
  /** `https://127.0.0.1:34567` */
  readonly url: string;
  /**
   * A kubeconfig with the administrator's certificate, for the `loadFromString` of a client or to be written to a file.
   */
  readonly kubeconfig: string;
  /** A file with the same content; it exists until the server is closed, and permanently in a data directory. */
  readonly kubeconfigPath: string;
  /** Ends watches, completes running requests, closes the store. Idempotent. */
  close(): Promise<void>;
}

/** Starts an API server in this process and resolves when it serves. It keeps the process alive until closed. */
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

/** Certificates and the kubeconfig must be files even if the store is in memory. */
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
    logging: loggingOf(logLevel),
  };
}

/** In kube-apiserver's `-v`. */
const verbosities = { debug: 4, trace: 6 };

function loggingOf(level: NonNullable<ApiServerOptions['logLevel']>): ServerConfig['logging'] {
  if (level === 'debug' || level === 'trace') return { level: 'info', verbosity: verbosities[level] };
  return { level };
}
