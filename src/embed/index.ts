import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { configDefaults, type RunningServer, type ServerConfig } from '../server/config.ts';
import { pkiFolder } from '../server/listening/serving.ts';
import { threadsProblem } from '../server/threads/thread-limits.ts';
import { EmbeddedServer, startCurrent } from './embedded-server.ts';
import type { Preparation } from './prepare-server.ts';
import { ServerFamily } from './server-family.ts';
import type { UserCertificates } from './users.ts';
import type { WebhookFunctions } from './webhook-functions.ts';

/** All options are optional. */
export interface ApiServerOptions<UserName extends string = string> {
  /**
   * Folder of the store, the certificates and `admin.kubeconfig`, created when missing. Without it everything is in
   * memory and lost when the server is closed.
   */
  readonly dataDir?: string;
  /** Any free port by default. */
  readonly port?: number;
  /** The loopback interface, `127.0.0.1`, by default. */
  readonly bindAddress?: string;
  /**
   * Threads that serve requests, 1 by default: that of the caller. With `auto`, others begin while all are busy, up to
   * the number of cores, and end when they have nothing to do. More than one only where the system spreads connections
   * over them, as Linux and FreeBSD do; elsewhere `auto` is one.
   */
  readonly threads?: number | 'auto';
  /** API versions to enable or disable, as kube-apiserver's `--runtime-config`: `{ 'api/beta': true }`. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>>;
  /** Feature gates, as kube-apiserver's `--feature-gates`. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** The least severe lines of the log, on standard error; `error` by default. `debug` shows every request. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
  /**
   * Flags of `binnacle serve` under their names: `{ 'max-requests-inflight': 50, 'enable-admission-plugins':
   * 'AlwaysPullImages' }`. Numbers and booleans may be given as such, and a flag that can be repeated as a list. They
   * take precedence over the other options. A flag or a value that does not exist rejects the start.
   */
  readonly flags?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /**
   * Controllers to run, as `--controllers`: `*` for all that are on by default, `NAME` for one more, `-NAME` for one
   * less. All that are on by default, unless given.
   */
  readonly controllers?: readonly string[];
  /**
   * CustomResourceDefinitions, whose kinds are served when the start resolves. Each source is a file or a folder (with
   * its subfolders; `.yaml`, `.yml`, `.json`), a text of YAML or JSON documents, or an object. Objects of other kinds
   * and patches for kustomize are left out, so that a folder such as `config/crd` can be given whole.
   */
  readonly definitions?: readonly (string | Readonly<Record<string, unknown>>)[];
  /**
   * Objects that exist when the start resolves, from sources as in `definitions`; rendered Helm charts are such texts.
   * They are applied by server-side apply as the field manager `binnacle`, or created if they have no name: definitions
   * and namespaces first, then the others in their order. An object that is refused rejects the start.
   */
  readonly objects?: readonly (string | Readonly<Record<string, unknown>>)[];
  /**
   * Users with certificates of their own, by name: `{ alice: { groups: ['dev'] } }`. What they may do is up to RBAC;
   * group `system:masters` may do everything.
   */
  readonly users?: Readonly<Record<UserName, { readonly groups?: readonly string[] }>>;
  /** Admission webhooks that are functions of this process. They are called from the moment the start has resolved. */
  readonly webhooks?: readonly ApiServerWebhook[];
  /**
   * Functions of this process that convert custom resources between their versions, by the name of the definition
   * (`wheels.example.com`), which `definitions` or `objects` contain: they return the object in the version
   * `apiVersion`. An error that one throws fails the request, with its message.
   */
  readonly conversions?: Readonly<
    Record<string, (object: Record<string, unknown>, apiVersion: string) => object | Promise<object>>
  >;
}

/** An admission webhook; it has one of the functions, or both. */
export interface ApiServerWebhook {
  /** With at least two dots, as in a webhook configuration: `defaults.shop.example.com`. */
  readonly name: string;
  /** What it is called for. */
  readonly rules: readonly {
    readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[];
    /** The core group is the empty string. */
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    /** `pods`, `pods/status`, `*` */
    readonly resources: readonly string[];
    readonly scope?: 'Cluster' | 'Namespaced' | '*';
  }[];
  /** Changes `request.object`, or returns what it shall be. An error that it throws denies the request. */
  readonly mutate?: (request: AdmissionRequest) => object | void | Promise<object | void>;
  /** Throws an error to deny the request, with its message; returns warnings for the client. */
  readonly validate?: (request: AdmissionRequest) => readonly string[] | void | Promise<readonly string[] | void>;
  /** Other fields of a webhook: `failurePolicy`, `objectSelector`, `matchConditions` ... */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** What an admission webhook is asked about: the `request` of an AdmissionReview (admission.k8s.io/v1). */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** The kind and resource in the version that the webhook has asked for. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  /** Absent if the name is still to be generated. */
  readonly name?: string;
  /** Absent for objects without a namespace. */
  readonly namespace?: string;
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** Null for DELETE. */
  readonly object: Record<string, unknown> | null;
  /** Null for CREATE and CONNECT. */
  readonly oldObject: Readonly<Record<string, unknown>> | null;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, DeleteOptions ... */
  readonly options: Readonly<Record<string, unknown>> | null;
}

/** A user of `ApiServerOptions.users`. */
export interface ApiServerUser {
  /** Contains the user's certificate. */
  readonly kubeconfig: string;
  /** A file with the same content, which exists as long as `ApiServer.kubeconfigPath`. */
  readonly kubeconfigPath: string;
}

/** A clock that goes on by itself. Connections, requests, watches and the log keep to the time of the machine. */
export interface ApiServerClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Sets the clock forward by so many milliseconds: what ends within them does so at once, such as events and finished
   * jobs with a TTL, tokens, and certificates of users. A `reset` sets it back to where it was then. Throws a
   * RangeError if `ms` is negative or not a number, and an Error for a server with several threads.
   */
  advance(ms: number): void;
}

/** A server that runs in this process. */
export interface ApiServer<UserName extends string = string> extends AsyncDisposable {
  /** `https://127.0.0.1:34567` */
  readonly url: string;
  /**
   * A kubeconfig with the administrator's certificate, for the `loadFromString` of a client or to be written to a file.
   */
  readonly kubeconfig: string;
  /** A file with the same content; it exists until the server is closed, and permanently in a data directory. */
  readonly kubeconfigPath: string;
  /** The users of the options. */
  readonly users: Readonly<Record<UserName, ApiServerUser>>;
  /** The time of the API: of objects, Leases, tokens, events and whatever else has an end. */
  readonly clock: ApiServerClock;
  /**
   * Starts another server with the content of this one: the same objects with the same resource versions, the same
   * kinds and users. It has a port, kubeconfigs and a life of its own; certificates, tokens and webhook functions are
   * those of this server. It is in memory, also if this one has a `dataDir`. Rejects with the code `FOREIGN_STORE` if
   * objects are in etcd, and if this server has been closed.
   */
  clone(): Promise<ApiServer<UserName>>;
  /**
   * Remembers the current content for `reset`, in place of what was remembered before: at first that is what there was
   * when the start, or the call of `clone`, resolved. Rejects with the code `FOREIGN_STORE` if objects are in a
   * `dataDir` or in etcd.
   */
  snapshot(): Promise<void>;
  /**
   * Returns to the content of the last `snapshot`, as if the server had been stopped, its store replaced by that and
   * started again at the same address: running requests complete, watches end, and clients that continue from a
   * resource version of before get 410. Objects have the resource versions that they had then; later ones are higher
   * than all that have been before. Rejects like `snapshot`.
   */
  reset(): Promise<void>;
  /** Ends watches, completes running requests, closes the store. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts an API server in this process and resolves when it serves, with the definitions and objects of the options. It
 * keeps the process alive until closed.
 */
export async function startApiServer<UserName extends string = never>(
  options: ApiServerOptions<UserName> = {},
): Promise<ApiServer<UserName>> {
  const shared = new AsyncDisposableStack();
  const scratch = await scratchFolder(shared);
  const family = new ServerFamily(scratch, shared);
  await using opened = new AsyncDisposableStack();
  const { folder } = opened.use(await family.join());
  const config = await configOf(options, { scratch, folder });
  const webhooks = await listeningWebhooks(options, config);
  if (webhooks !== undefined) shared.use(webhooks);
  const { running, current } = await startCurrent(config, opened);
  const users = await prepared(running, config, { ...options, webhooks });
  // A store that is not only in memory outlives the process, with which the functions end.
  if (webhooks !== undefined && !isVolatile(config))
    opened.defer(async () => (await import('./prepare-server.ts')).leaveServer(running, webhooks));
  const origin = { config, family, users };
  const content = isVolatile(config) ? await running.content?.() : undefined;
  const first = content === undefined ? undefined : { content, aheadMs: 0 };
  const server = await EmbeddedServer.of(origin, running, { current, opened, prepared: first });
  return server as unknown as ApiServer<UserName>; // users are those of the options
}

/** They listen before the server does, and end after it. */
async function listeningWebhooks(
  { webhooks = [], conversions = {} }: Pick<ApiServerOptions, 'webhooks' | 'conversions'>,
  config: ServerConfig,
): Promise<WebhookFunctions | undefined> {
  if (webhooks.length + Object.keys(conversions).length === 0) return undefined;
  const { WebhookFunctions } = await import('./webhook-functions.ts');
  return WebhookFunctions.listen({ webhooks, conversions }, pkiFolder(config));
}

/** Makes the content and the users of the options; what they do not use is not loaded. */
async function prepared(
  running: RunningServer,
  config: ServerConfig,
  {
    definitions = [],
    objects = [],
    users,
    webhooks,
  }: Pick<ApiServerOptions, 'definitions' | 'objects' | 'users'> & Pick<Preparation, 'webhooks'>,
): Promise<UserCertificates> {
  if (definitions.length + objects.length === 0 && users === undefined && webhooks === undefined) return new Map();
  const { prepareServer } = await import('./prepare-server.ts');
  return prepareServer(running, config, { definitions, objects, users: users ?? {}, webhooks });
}

function isVolatile({ storage }: ServerConfig): boolean {
  return storage.inMemory && storage.etcd.servers.length === 0;
}

/** Certificates and the kubeconfig must be files even if the store is in memory. */
async function scratchFolder(started: AsyncDisposableStack): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'binnacle-'));
  started.defer(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Throws an Error for flags that do not exist. */
async function configOf<UserName extends string>(
  options: ApiServerOptions<UserName>,
  { scratch, folder }: { readonly scratch: string; readonly folder: string },
): Promise<ServerConfig> {
  const { serving, storage, api } = configDefaults;
  const isKept = options.dataDir !== undefined;
  const { bindAddress = '127.0.0.1', port = 0, logLevel = 'error', controllers = configDefaults.controllers } = options;
  const config: ServerConfig = {
    ...configDefaults,
    controllers,
    dataDir: isKept ? resolve(options.dataDir) : folder,
    serving: {
      ...serving,
      bindAddress,
      securePort: port,
      apiThreads: threadsOf(options),
      ...(isKept ? {} : { certDir: join(scratch, 'pki') }),
    },
    // In a temporary folder nothing has to survive a power failure.
    storage: { ...storage, inMemory: !isKept, syncs: isKept },
    api: {
      ...api,
      runtimeConfig: new Map(Object.entries(options.runtimeConfig ?? {})),
      featureGates: new Map(Object.entries(options.featureGates ?? {})),
    },
    logging: loggingOf(logLevel),
  };
  if (options.flags === undefined) return config;
  const { configWithFlags, flagTexts } = await import('../cli/serve-options.ts');
  return configWithFlags(config, flagTexts(options.flags));
}

/** Throws an Error for a number that is impossible. */
function threadsOf({ threads = configDefaults.serving.apiThreads }: ApiServerOptions): number | 'auto' {
  const problem = threads === 'auto' ? undefined : threadsProblem(threads);
  if (problem !== undefined) throw new Error(`threads: ${problem}, or auto`);
  return threads;
}

/** In kube-apiserver's `-v`. */
const verbosities = { debug: 4, trace: 6 };

function loggingOf(level: NonNullable<ApiServerOptions['logLevel']>): ServerConfig['logging'] {
  if (level === 'debug' || level === 'trace') return { level: 'info', verbosity: verbosities[level] };
  return { level };
}
