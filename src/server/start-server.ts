import { mkdir, readFile } from 'node:fs/promises';
import { type Clock, systemClock } from '../api/clock.ts';
import type { Authorizer } from '../api/authorization.ts';
import type { Authenticator } from '../api/authentication.ts';
import type { KubernetesObject } from '../api/object.ts';
import { clientCertificateAuthenticator } from '../authentication/client-certificate.ts';
import { TokenFileError, tokenFileAuthenticator } from '../authentication/token-file.ts';
import { unionAuthenticator } from '../authentication/union.ts';
import { alwaysAllow, alwaysDeny } from '../authorization/always.ts';
import { anonymousPathsAuthorizer } from '../authorization/anonymous-paths.ts';
import { unionAuthorizer } from '../authorization/union.ts';
import { Listener } from '../http/listener.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import type { Resource } from '../schema/resource.ts';
import { prefixEnd } from '../storage/contract.ts';
import { createSystemNamespaces } from './bootstrap.ts';
import { bootstrapObjects, ensureObject } from './bootstrap-objects.ts';
import { gatesByConfig, servedByConfig } from './served-by-config.ts';
import { requestEntry } from './request-entry.ts';
import { asConfigError } from './config-error.ts';
import type { AuthenticationConfig, AuthorizationConfig, RunningServer, ServerConfig } from './config.ts';
import { controlPlaneComponents } from './components.ts';
import { startControllers } from './controllers.ts';
import { createLog, type Log } from './log.ts';
import { openStore, type Store } from './open-store.ts';
import { ResourceScopes, type ResourceScopesOptions } from './resource-scopes.ts';
import { advertisedHost, prepareServing } from './serving.ts';
import { Lifecycle } from './lifecycle.ts';
import { addStorageMetrics } from './storage-metrics.ts';
import { builtInAdmission, pluginsByConfig } from './built-in-admission.ts';
import { builtInBehaviour } from './built-in-behaviour.ts';
import { CachedObjects } from './cached-objects.ts';
import { type RequestMetrics, requestMetrics } from './request-metrics.ts';
import { addWatchCacheMetrics } from './watch-cache-metrics.ts';

/** Starts a server and resolves when it serves. What a failing start has opened is closed again. */
export async function startServer(config: ServerConfig): Promise<RunningServer> {
  await using opened = new AsyncDisposableStack();
  return await startOn(config, opened);
}

/** Puts everything on `opened`, which is emptied the other way round, and takes it over in the end. */
async function startOn(config: ServerConfig, opened: AsyncDisposableStack): Promise<RunningServer> {
  const clock = systemClock;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const served = servedByConfig(config.api);
  const plugins = pluginsByConfig(config.admission);
  const log = createLog(config.logging);
  const opening = openStore(config);
  opened.defer(async () => (await opening.catch(() => undefined))?.storage[Symbol.asyncDispose]());
  const [store, serving, authenticator] = await Promise.all([
    opening,
    prepareServing(config, clock),
    createAuthenticator(config.authentication),
  ]);
  const { storage } = store;
  const scopes = resourceScopes(config, { served, storage, clock });
  await createSystemNamespaces(scopes, clock.now());
  const lifecycle = new Lifecycle(store);
  const admission = builtInAdmission(plugins, {
    stored: new CachedObjects(scopes, clock),
    featureGates: gatesByConfig(config.api),
    release: config.api.emulatedVersion,
    tolerationSeconds: config.admission.tolerationSeconds,
  });
  const authorizer = createAuthorizer(config.authorization);
  const metrics = serverMetrics(config, { clock, scopes, served, store, log });
  const handle = requestEntry(
    {
      config,
      authenticator,
      authorizer,
      scopes,
      served,
      lifecycle,
      components: controlPlaneComponents(store.components),
      metrics,
      admission,
      takeSnapshot: store.takeSnapshot,
    },
    log,
  );
  const listener = new Listener(serving.tls, handle);
  opened.defer(() => listener.close(config.requests.timeoutMs));
  opened.defer(() => scopes.close());
  const port = await listen(listener, serving.listenAddresses, config.serving.securePort);
  const kubeconfigPath = await serving.writeAdminKubeconfig(port);
  await createBootstrapObjects(config, { scopes, port, nowMs: clock.now() }, (error) =>
    log.error({ error }, 'an object of the system could not be made'),
  );
  opened.use(store.startCompactor((error) => log.error({ error }, 'compaction failed')));
  opened.use(
    startControllers({ scopes, served, admission, clock }, (error) => log.error({ error }, 'controller failed')),
  );
  lifecycle.started();
  const running = opened.move();
  return {
    url: serving.url(port),
    kubeconfigPath,
    async close() {
      lifecycle.stopping();
      await lifecycle.delay(config.shutdown.delayMs);
      await running.disposeAsync();
    },
  };
}

interface MetricsParts {
  readonly clock: Clock;
  readonly scopes: ResourceScopes;
  readonly served: readonly Resource[];
  readonly store: Store;
  readonly log: Log;
}

function serverMetrics({ storage }: ServerConfig, { clock, scopes, served, store, log }: MetricsParts): RequestMetrics {
  const { prefix, countIntervalMs, sizeIntervalMs } = storage;
  return requestMetrics({
    clock,
    isKnown: (info) => isServed(scopes, info),
    addMetrics: async (registry) => {
      await addWatchCacheMetrics(registry, () => scopes.caches());
      const now = (): number => clock.now();
      await addStorageMetrics(registry, { store, served, prefix, countIntervalMs, sizeIntervalMs, now });
    },
    onError: (error) => log.error({ error }, 'metrics failed'),
  });
}

function isServed(scopes: ResourceScopes, { group, version, resource, subresource }: RequestInfo): boolean {
  const found = scopes.scopeOf(group, version, resource)?.resource;
  return found !== undefined && (subresource === '' || found.subresources.some(({ name }) => name === subresource));
}

async function createAuthenticator({ tokenAuthFile }: AuthenticationConfig): Promise<Authenticator> {
  // Without a file nobody has a token: one that is shown is wrong all the same.
  const text = tokenAuthFile === undefined ? '' : await readFile(tokenAuthFile, 'utf8');
  const tokens = asConfigError(TokenFileError, () => tokenFileAuthenticator(text));
  return unionAuthenticator([clientCertificateAuthenticator(), tokens]);
}

function createAuthorizer({ modes }: AuthorizationConfig): Authorizer {
  const table = { AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny };
  return unionAuthorizer([anonymousPathsAuthorizer(), ...modes.map((mode) => table[mode])]);
}

/** What cannot be made keeps nobody from being served. */
async function createBootstrapObjects(
  { api, serving }: ServerConfig,
  { scopes, port, nowMs }: { readonly scopes: ResourceScopes; readonly port: number; readonly nowMs: number },
  onError: (error: unknown) => void,
): Promise<void> {
  const wanted = bootstrapObjects({ host: advertisedHost(serving), port, serviceRanges: api.serviceClusterIpRanges });
  await Promise.all(wanted.map((object) => ensureObject(scopes, object, nowMs).catch(onError)));
}

function resourceScopes(
  config: ServerConfig,
  parts: Pick<ResourceScopesOptions, 'served' | 'storage' | 'clock'>,
): ResourceScopes {
  const scopes: ResourceScopes = new ResourceScopes({
    ...parts,
    ...builtInBehaviour({
      services: {
        clusterIpRanges: config.api.serviceClusterIpRanges,
        nodePortRange: config.api.serviceNodePortRange,
        listServices: () => storedServices(scopes),
      },
      lifted: new Set(config.api.allowPrivileged ? ['privileged'] : []),
      featureGates: gatesByConfig(config.api),
    }),
    known: builtInResources(),
    prefix: config.storage.prefix,
    eventTtlSeconds: config.storage.eventTtlSeconds,
    watchCache: config.storage.watchCache,
  });
  return scopes;
}

async function storedServices(scopes: ResourceScopes): Promise<readonly KubernetesObject[]> {
  const store = scopes.scopeOf('', 'v1', 'services')?.store;
  if (store === undefined) return [];
  const { kvs } = await store.storage.range({ start: store.keyPrefix, end: prefixEnd(store.keyPrefix) });
  return kvs.map((kv) => store.codec.decode(kv));
}

/** The first address family that the machine has. */
async function listen(listener: Listener, addresses: readonly string[], port: number): Promise<number> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await listener.listen(address, port);
    } catch (error) {
      failure = error;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error;
    }
  }
  throw failure;
}
