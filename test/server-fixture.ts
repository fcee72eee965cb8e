import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LiveCatalogue } from '../src/catalogue/live-catalogue.ts';
import {
  type ApiConfig,
  configDefaults,
  type RunningServer,
  type ServerConfig,
  type StorageConfig,
} from '../src/server/config.ts';
import { startServer } from '../src/server/start-server.ts';
import { builtInWiring, type Wiring } from '../src/server/wiring.ts';
import { threadModule } from './release-form.ts';

/** A server for one test file, with its own port and data; both are released on disposal. */
export interface TestServer extends AsyncDisposable {
  /** `https://127.0.0.1:34567` */
  readonly url: string;
  readonly kubeconfigPath: string;
  /** What it currently serves. */
  readonly catalogue: LiveCatalogue;
  /** A directory that is removed with the server. */
  readonly scratchDir: string;
  /** Restarts the server on the same data and another port. */
  restart(): Promise<void>;
}

/** Controllers for tests that count objects: none that adds to every namespace, or to what tests make. */
const countableControllers = [
  '*',
  '-root-ca-certificate-publisher-controller',
  '-kube-apiserver-serving-clustertrustbundle-publisher-controller',
];

/** Starts a server on any free port of the loopback interface; unless configured otherwise pods need no account. */
export async function startTestServer(
  api: Partial<ApiConfig> = {},
  storage: Partial<StorageConfig> = {},
  { config = {}, wiring = builtInWiring }: { readonly config?: Partial<ServerConfig>; readonly wiring?: Wiring } = {},
): Promise<TestServer> {
  const scratchDir = await mkdtemp(join(tmpdir(), 'binnacle-e2e-'));
  const start = (): Promise<RunningServer> =>
    startServer(
      withThreads(wiring, {
        ...configDefaults,
        dataDir: join(scratchDir, 'data'),
        serving: { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0 },
        requests: { ...configDefaults.requests, timeoutMs: 10_000 },
        api: { ...configDefaults.api, ...api },
        storage: { ...configDefaults.storage, ...storage },
        logging: { level: 'error' },
        admission: withoutAccounts,
        controllers: countableControllers,
        ...config,
      }),
      { wiring },
    );
  const removed = (): Promise<void> => rm(scratchDir, { recursive: true, force: true });
  let running = await start().catch(async (error: unknown) => {
    await removed();
    throw error;
  });
  await running.settled;
  return {
    get url() {
      return running.url;
    },
    get kubeconfigPath() {
      return running.kubeconfigPath;
    },
    get catalogue() {
      return running.catalogue;
    },
    scratchDir,
    async restart() {
      await running.close();
      running = await start();
      await running.settled;
    },
    async [Symbol.asyncDispose]() {
      await running.close();
      await removed();
    },
  };
}

/**
 * As many threads serve as the environment says, so that suites can be run with several. They run the release: to load
 * the sources takes each of them ten times as long.
 */
function withThreads(wiring: Wiring, config: ServerConfig): ServerConfig {
  const serving = { ...config.serving, threadModule: config.serving.threadModule ?? threadModule };
  const variable = process.env['BINNACLE_TEST_API_THREADS'];
  if (variable === undefined || wiring !== builtInWiring) return { ...config, serving };
  const apiThreads = variable === 'auto' ? variable : Number(variable);
  return { ...config, serving: { ...serving, apiThreads } };
}

/** Nobody needs an account, as where kube-apiserver runs without kube-controller-manager. */
export const withoutAccounts: ServerConfig['admission'] = {
  ...configDefaults.admission,
  disablePlugins: ['ServiceAccount'],
};

/**
 * A server that nothing happens on by itself which does not happen on kube-apiserver alone, but what it deletes goes.
 */
export const asAlone: Partial<ServerConfig> = {
  admission: withoutAccounts,
  controllers: [
    'namespace-controller',
    'clusterrole-aggregation-controller',
    'service-cidr-controller',
    'persistentvolume-protection-controller',
    'volumeattributesclass-protection-controller',
  ],
};

/** The store is an etcd, asked for history for as long as it keeps it. */
export function onEtcd(server: string, etcd: Partial<StorageConfig['etcd']> = {}): Partial<StorageConfig> {
  return { compactionIntervalMs: 0, etcd: { ...configDefaults.storage.etcd, servers: [server], ...etcd } };
}

/** The administrator's credentials from a kubeconfig, as TLS options. */
export async function adminTls(kubeconfigPath: string): Promise<{ ca: Buffer; cert: Buffer; key: Buffer }> {
  const text = await readFile(kubeconfigPath, 'utf8');
  const field = (name: string): Buffer => {
    const found = new RegExp(`${name}"?: ['"]?([A-Za-z0-9+/=]+)`).exec(text)?.[1];
    if (found === undefined) throw new Error(`no ${name} in ${kubeconfigPath}`);
    return Buffer.from(found, 'base64');
  };
  return {
    ca: field('certificate-authority-data'),
    cert: field('client-certificate-data'),
    key: field('client-key-data'),
  };
}
