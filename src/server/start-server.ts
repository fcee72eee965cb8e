import { mkdir } from 'node:fs/promises';
import { readAdmissionConfiguration } from '../admission/configuration/admission-configuration.ts';
import type { PluginRow } from '../admission/plugin-table.ts';
import type { Admission } from '../api/admission.ts';
import type { Authenticator, PresentedToken } from '../api/authentication.ts';
import type { Authorizer } from '../api/authorization.ts';
import type { Client } from '../api/client.ts';
import { AdmittedUsages } from '../admission/resource-quota/admitted-usages.ts';
import { DelayedWrites } from '../api/delayed-writes.ts';
import { type Clock, systemClock } from '../api/clock.ts';
import { allowedOrigins } from './allowed-origins.ts';
import { openAuditor } from './open-auditor.ts';
import type { Auditor } from '../audit/request-audit.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { cloneObject } from '../api/object.ts';
import { type Log, logSite } from '../api/log.ts';
import type { Measure, MeasureDefinition } from '../api/measure.ts';
import type { PartContext } from '../api/part.ts';
import type { Peers } from '../aggregation/peers/peers.ts';
import { upgradesAt } from './aggregation/upgrades-at.ts';
import { openAggregator, preparedStorage, type StorageOptions } from './aggregation/open-aggregator.ts';
import { AccountTokens } from '../authentication/service-account/account-tokens.ts';
import { AuthenticationInfo } from './authentication-info.ts';
import type { AuthenticatorContext } from '../authentication/authenticator-context.ts';
import { makeAuthenticators } from '../authentication/authenticator-table.ts';
import { isPublicPath } from '../authorization/public-paths.ts';
import type { EscalationGuard } from '../authorization/rbac/escalation.ts';
import { makeAuthorizer } from '../authorization/authorizer-table.ts';
import { builtInKinds } from '../catalogue/built-in-kinds.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { chosenControllers } from '../controllers/controller-choice.ts';
import type { ControllerRow } from '../controllers/controller-table.ts';
import type { ControllerSettings } from '../controllers/controller-context.ts';
import type { TakesUpgrades } from '../http/transport/http1-server.ts';
import { connectMeasures } from '../http/connect/connect-measures.ts';
import { connectsTo } from '../http/connect/connect-table.ts';
import { Listener, type ListenerOptions } from '../http/transport/listener.ts';
import { OpenWatches } from '../http/request/open-watches.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { RequestDrain } from '../http/stages/drain.ts';
import { verbsByName } from '../http/verbs/verb-table.ts';
import type { ClusterConnections } from '../outgoing/cluster-connections.ts';
import type { Resource } from '../schema/resource.ts';
import type { ClusterPolicy } from '../api/field-error.ts';
import { liftedByGates } from '../resources/lifted-policies.ts';
import { gatesByConfig, servedByConfig } from './served-by-config.ts';
import { requestEntry } from './request-entry.ts';
import type { ApiConfig, RunningServer, ServerConfig } from './config.ts';
import { controlPlaneComponents } from './components.ts';
import { servedKinds } from './controllers/served-kinds.ts';
import { controllerManagers } from './controllers/controller-managers.ts';
import { anyAddress, routedServices } from '../outgoing/service-resolver.ts';
import { endOfServing, endsWatches, type ServingParts } from './end-serving.ts';
import { followDefinitions } from './definitions.ts';
import { ServerLog } from './logging/server-log.ts';
import { checkLogging } from './logging/logging-config.ts';
import { manifestObject } from './manifest-object.ts';
import type { StageParts } from './stage-parts.ts';
import { serverContext } from './server-context.ts';
import { openFlowControl } from './flow-control/open-flow-control.ts';
import type { FlowControl } from '../flowcontrol/flow-control.ts';
import type { Tracing } from '../tracing/tracing-contract.ts';
import { openDebugSocket } from './open-debug-socket.ts';
import { openPeers, type PeersParts } from './peers/open-peers.ts';
import { openConnections } from './open-connections.ts';
import { openEncryption } from './open-encryption.ts';
import { openStore } from './store/open-store.ts';
import type { NamedCache } from './open-kind.ts';
import { ResourceScopes } from './resource-scopes.ts';
import { servedName } from './served-name.ts';
import { escalationGuard, followedPolicy, judgesClient } from './rbac-parts.ts';
import { partContext } from './part-context.ts';
import { serverId } from './server-id.ts';
import { frontProxyOf, pkiFolder, prepareServing, type Serving } from './serving.ts';
import { makeKubernetesService } from './services/make-kubernetes-service.ts';
import { SharedRegisters } from './services/service-registers.ts';
import { runStartHooks, startHooksOf, type StartHookRow } from './start-hooks.ts';
import { builtInWiring, type Wiring } from './wiring.ts';
import { Lifecycle } from './lifecycle.ts';
import { InProcessClient } from './client/in-process-client.ts';
import { systemUser } from './system-operation.ts';
import type { Store } from './store/store.ts';
import { externalSigner } from './external-signer.ts';
import { addStorageMetrics } from './metrics/storage-metrics.ts';
import { builtInAdmission, pluginsByConfig } from './built-in-admission.ts';
import type { BehaviourOptions } from './built-in-behaviour.ts';
import type { StoredObjects } from '../api/stored-objects.ts';
import { CachedObjects } from './cached-objects.ts';
import { type RequestMetrics, requestMetrics } from './metrics/request-metrics.ts';
import { limitMetrics, type MetricLimits, readMetricLimits } from './metrics/metric-limits.ts';
import { addPartMetrics } from './metrics/part-metrics.ts';
import { buildMetrics } from './metrics/build-metrics.ts';
import { StoreMeasures } from './metrics/store-measures.ts';
import { addWatchCacheMetrics } from './metrics/watch-cache-metrics.ts';

const site = logSite('server/start-server.ts');

function logError(log: Log, message: string, error: unknown): void {
  log.write({ site, severity: 'error', message, error });
}

/** How long a store out of reach holds up the end of a server that serves nobody any more. */
const lastCallsMs = 5_000;

/** Starts a server and resolves once it serves. On failure everything opened is closed again. */
export async function startServer(config: ServerConfig, wiring: Wiring = builtInWiring): Promise<RunningServer> {
  checkLogging(config.logging, gatesByConfig(config.api));
  await using opened = new AsyncDisposableStack();
  return await startOn(await completeConfig(config, opened), wiring, opened);
}

/** A server behind another one learns from it how to know users. */
async function completeConfig(config: ServerConfig, opened: AsyncDisposableStack): Promise<ServerConfig> {
  const { authenticationKubeconfig, authorizationKubeconfig } = config.delegation;
  if ((authenticationKubeconfig ?? authorizationKubeconfig) === undefined) return config;
  const { delegatedConfig } = await import('./delegation.ts');
  const log = new ServerLog(config.logging, systemClock);
  const onError = (error: unknown): void => logError(log, 'the server in front could not be asked', error);
  return delegatedConfig(config, partContext({ clock: systemClock, log, opened, onError }));
}

/** Registers everything in `opened`, which is disposed of in reverse order, and moves it to the result at the end. */
async function startOn(config: ServerConfig, wiring: Wiring, opened: AsyncDisposableStack): Promise<RunningServer> {
  const clock = systemClock;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const log = new ServerLog(config.logging, systemClock);
  const onError = (what: string) => (error: unknown) => logError(log, what, error);
  const context = await serverContext(config, { clock, log, opened, onError: onError('a part of the server failed') });
  const { measure, egress } = context;
  const charges = { delayed: new DelayedWrites(), admitted: new AdmittedUsages() };
  const catalogue = builtInCatalogue(config, wiring, {
    ...{ registers: () => registers, judges: () => judges, measure, delayed: charges.delayed },
  });
  const plugins = pluginsByConfig(wiring.admissionPlugins, config.admission);
  const rows = await checkedControllers(config, wiring);
  const encryption = await openEncryption(config, context);
  const opening = openStore(wiring.storageEngines, config, (kind) => catalogue.current.schemaOf(kind));
  opened.defer(async () => (await opening.catch(() => undefined))?.[Symbol.asyncDispose]());
  const [store, serving] = await Promise.all([opening, prepareServing(config, context)]);
  const unprepared = placesIn({ ...store, ...encryptionIn(encryption) }, config, { clock, measure });
  const places = preparedStorage(unprepared, () => aggregator);
  const scopes = new ResourceScopes(catalogue, places);
  const shared = { ...context, config, scopes, store, frontProxy: frontProxyOf(config, clock) };
  const startHooks = startHooksOf(wiring.startHooks, config);
  const lifecycle = lifecycleOf(config, startHooks);
  const later = {
    onLeave: lifecycle.onLeave,
    ...{ registers: () => registers, kubernetesService: () => service, authenticationInfo: () => info },
    ...{ aggregator: () => aggregator, admission: () => judges.admission, definitions: () => definitions },
    ...{ serverControllers: () => managers.serverControllers },
    ...{ flowControl: () => parts.flowControl, peers: () => parts.peers },
  };
  const runHooks = (when: StartHookRow['when'], port: number): Promise<void> =>
    runStartHooks(startHooks, when, { lifecycle, context: { ...shared, port, ...later } });
  await runHooks('early', 0);
  const judges = await makeJudges(config, wiring, {
    ...{ context, scopes, plugins, store, ...charges, ownAuthority: serving.authority },
    client: () => new InProcessClient({ scopes, clock, user: systemUser, manager: 'kube-apiserver', ...judges }),
  });
  const parts = { ...shared, log, ...(await configuredParts(config, { ...shared, catalogue, log })) };
  const registers = new SharedRegisters({ ...parts, ...judges });
  const { listener, end } = makeListener(config, wiring, {
    ...{ ...parts, lifecycle, judges, serving, encryption, catalogue },
    ...listenerOptions(catalogue, context),
  });
  opened.use(scopes);
  opened.defer(() => charges.delayed.flush());
  opened.defer(end);
  opened.use(parts.connections);
  const client = { scopes, ...judges, clock, log, measure, egress, routing: config.aggregation };
  const definitions = opened.use(await followDefinitions(client, catalogue, onError('following definitions failed')));
  const { aggregator, begin } = await openAggregator({ ...shared, catalogue, definitions, unprepared });
  await begin();
  const port = await listen(listener, serving.listenAddresses, config.serving);
  const kubeconfigPath = await serving.writeAdminKubeconfig(port);
  const service = opened.use(makeKubernetesService(parts, port));
  const info = opened.use(await AuthenticationInfo.open({ ...parts, authority: serving.authority }));
  await runHooks('listening', port);
  opened.use(registers);
  opened.use(store.startCompactor(onError('compaction failed')));
  const settings = controllerSettings(config, serving, { ...context, ...judges, ...charges, catalogue });
  const working = { ...client, catalogue, settings, onError: onError('controller failed') };
  const managers = opened.use(controllerManagers(working, { rows, wiring, judges, store }));
  const served = runHooks('serving', port).then(() => service.start());
  // Controllers need to know all kinds: one that is unknown would look empty.
  const followed = Promise.all([served, runHooks('following', port)]).then(() => managers.controllers.start());
  const settled = followed.catch(onError('the start failed'));
  opened.defer(() => settled);
  opened.defer(() => definitions.stopWaiting());
  const parted = opened.move();
  // Controllers stop while requests end.
  const endAll = (): Promise<unknown> => Promise.all([ended(end, store), parted.disposeAsync()]);
  return { url: serving.url(port), kubeconfigPath, catalogue, settled, close: () => lifecycle.end(config, endAll) };
}

/** Ends what clients are served; then a store out of reach is waited for no longer. */
async function ended(end: () => Promise<void>, store: Pick<Store, 'closeIn'>): Promise<void> {
  await end();
  store.closeIn?.(lastCallsMs);
}

function encryptionIn(encryption: Encryption | undefined): Pick<StorageOptions, 'encryptionOf'> {
  return encryption === undefined ? {} : { encryptionOf: (resource) => encryption.of(resource) };
}

function placesIn(
  store: Pick<StorageOptions, 'storage' | 'storageOf' | 'format' | 'encryptionOf'>,
  { storage: { prefix }, api }: ServerConfig,
  { clock, measure }: Pick<PartContext, 'clock' | 'measure'>,
): StorageOptions {
  const namesUnreadable = gatesByConfig(api).get('AllowUnsafeMalformedObjectDeletion') ?? false;
  return {
    ...store,
    prefix,
    namesUnreadable,
    collectsGarbage: api.collectsGarbage,
    clock,
    measures: new StoreMeasures(measure),
  };
}

/** Throws a ConfigError. */
async function checkedControllers(config: ServerConfig, wiring: Wiring): Promise<readonly ControllerRow[]> {
  const { collectsGarbage } = config.api;
  const choice = collectsGarbage ? config.controllers : ['-garbage-collector-controller', ...config.controllers];
  const rows = chosenControllers(choice, wiring.controllers);
  for (const { check } of rows) await check?.(config.control);
  return rows;
}

function controllerSettings(
  config: ServerConfig,
  { rootCa }: Serving,
  {
    catalogue,
    ...later
  }: Pick<ControllerSettings, 'accountTokens' | 'delayed' | 'admitted' | 'queues'> & {
    readonly catalogue: LiveCatalogue;
  },
): ControllerSettings {
  const { accountTokens, delayed, admitted, queues } = later;
  const featureGates = gatesByConfig(config.api);
  const kinds = servedKinds(catalogue);
  return { config: config.control, featureGates, rootCa, accountTokens, delayed, admitted, kinds, queues };
}

function runningRequests({ shutdown }: ServerConfig): Pick<ServingParts, 'drain' | 'watches'> {
  const { sendsRetryAfter } = shutdown;
  const drain = new RequestDrain({ sendsRetryAfter, endsWatches: endsWatches(shutdown) });
  return { drain, watches: new OpenWatches() };
}

function lifecycleOf({ shutdown }: ServerConfig, startHooks: readonly StartHookRow[]): Lifecycle {
  const { livezGracePeriodMs } = shutdown;
  return new Lifecycle({ hooks: startHooks.map(({ name }) => name), livezGracePeriodMs });
}

/** Parts that depend only on the configuration and its files. */
async function configuredParts(
  config: ServerConfig,
  context: Omit<PeersParts, 'client'> & { readonly scopes: ResourceScopes; readonly log: ServerLog },
): Promise<Pick<EntryParts, 'limits' | 'auditor' | 'connections' | 'flowControl' | 'allowsOrigin' | 'peers'>> {
  const [limits, auditor, connections, allowsOrigin, peers] = await Promise.all([
    readMetricLimits(config.metrics),
    openAuditor(config, context),
    openConnections(config.kubelets, context),
    allowedOrigins(config.serving.corsAllowedOrigins),
    openPeers({ ...context, client: judgesClient(context.scopes, context) }),
    openDebugSocket(config, context, context.log.verbosity),
  ]);
  return { limits, auditor, connections, allowsOrigin, peers, flowControl: openFlowControl(config, context) };
}

function listenerOptions(catalogue: LiveCatalogue, { measure }: PartContext): ListenerOptions {
  return { takesUpgrades: upgradesOf(catalogue), handshakeFailed: measure(handshakeErrors).counter({}) };
}

function upgradesOf(catalogue: LiveCatalogue): TakesUpgrades {
  const isRemote = upgradesAt(catalogue);
  return (path) => connectsTo(path) || isRemote(path);
}

const handshakeErrors: MeasureDefinition = {
  name: 'apiserver_tls_handshake_errors_total',
  help: '[ALPHA] Connections whose TLS handshake failed.',
  type: 'counter',
  labelNames: [],
};

interface EntryParts extends MetricsParts, Pick<ServingParts, 'drain' | 'watches'> {
  readonly clock: Clock;
  readonly auditor: Auditor | undefined;
  readonly tracing: Tracing | undefined;
  readonly flowControl: FlowControl | undefined;
  readonly allowsOrigin: StageParts['allowsOrigin'];
  readonly peers: Peers | undefined;
  readonly lifecycle: Lifecycle;
  readonly judges: Judges;
  readonly serving: Serving;
  readonly encryption: Encryption | undefined;
  readonly connections: ClusterConnections;
  readonly measure: PartContext['measure'];
}

/** The listener, and how it ends. */
function makeListener(
  config: ServerConfig,
  wiring: Wiring,
  parts: Omit<EntryParts, 'drain' | 'watches'> & ListenerOptions,
): { readonly listener: Listener; readonly end: () => Promise<void> } {
  const running = runningRequests(config);
  const listener = new Listener(parts.serving.tls, makeEntry(config, wiring, { ...parts, ...running }), parts);
  parts.serving.follow((tls) => listener.renew(tls));
  return { listener, end: endOfServing(config, { ...running, listener }) };
}

function makeEntry(
  config: ServerConfig,
  wiring: Wiring,
  { lifecycle, judges, serving, connections, encryption, ...parts }: EntryParts,
): ReturnType<typeof requestEntry> {
  const { clock, scopes, store, log } = parts;
  return requestEntry(
    {
      ...{ config, log },
      ...judges,
      scopes,
      verbs: verbsByName(wiring.verbs),
      virtual: wiring.virtualResources,
      connects: wiring.connects,
      connections,
      connectMeasures: connectMeasures(parts),
      health: { rows: wiring.healthChecks, store, lifecycle, serving, encryption },
      components: controlPlaneComponents(store.components),
      ...{ drain: parts.drain, watches: parts.watches },
      metrics: serverMetrics(config, parts),
      measure: parts.measure,
      ...{ auditor: parts.auditor, flowControl: parts.flowControl, allowsOrigin: parts.allowsOrigin },
      tracing: parts.tracing,
      peers: parts.peers,
      ...{ takeSnapshot: store.takeSnapshot, upkeep: store.upkeep },
    },
    { clock, wiring },
  );
}

/** Behind another server, its namespaces are namespaces of this one. */
async function admissionObjects(
  stored: StoredObjects,
  { delegation }: ServerConfig,
  context: PartContext,
): Promise<StoredObjects> {
  const kubeconfig = delegation.authorizationKubeconfig ?? delegation.authenticationKubeconfig;
  if (kubeconfig === undefined) return stored;
  const { hostNamespaces } = await import('./host-namespaces.ts');
  return hostNamespaces(stored, kubeconfig, context);
}

interface Judges {
  readonly authenticator: Authenticator;
  readonly tokens: Authenticator<PresentedToken>;
  readonly authorizer: Authorizer;
  readonly admission: Admission;
  readonly accountTokens: AccountTokens;
  readonly stored: CachedObjects;
  readonly escalation: EscalationGuard;
}

/** Makes authentication, authorization and admission. */
async function makeJudges(
  config: ServerConfig,
  { tokenAuthenticators, authenticators, authorizers }: Wiring,
  {
    context,
    scopes,
    plugins,
    store,
    delayed,
    admitted,
    ownAuthority,
    client,
  }: {
    readonly context: PartContext;
    readonly scopes: ResourceScopes;
    readonly plugins: readonly PluginRow[];
    readonly store: Store;
    readonly delayed: DelayedWrites;
    readonly admitted: AdmittedUsages;
    readonly ownAuthority: string;
    readonly client: () => Client;
  },
): Promise<Judges> {
  const stored = new CachedObjects(scopes);
  const reader = judgesClient(scopes, context);
  const policy = followedPolicy(reader, context);
  const featureGates = gatesByConfig(config.api);
  const accountTokens = new AccountTokens({
    config: config.authentication.serviceAccounts,
    external: await externalSigner(config, context),
    folder: pkiFolder(config),
    readFile: context.readFile,
    bindsWebhooks: featureGates.get('APIServerWebhookAuthenticationToken') === true,
  });
  const [{ requests: authenticator, tokens }, authorizer] = await Promise.all([
    makeAuthenticators(
      { tokens: tokenAuthenticators, requests: authenticators },
      { ...context, ...authenticationBy(config), ownAuthority, stored, accountTokens, client },
    ),
    makeAuthorizer(authorizers, {
      ...context,
      ...{ config: config.authorization, stored, policy, client: reader, featureGates, serverId: serverId() },
    }),
    accountTokens.readNamedKeys(),
  ]);
  const admission = await builtInAdmission(plugins, {
    ...context,
    stored: await admissionObjects(stored, config, context),
    tenure: store,
    delayed,
    admitted,
    reader,
    authorizer,
    client,
    featureGates,
    release: config.api.emulatedVersion,
    tolerationSeconds: config.admission.tolerationSeconds,
    configurationOf: await readAdmissionConfiguration(config.admission.configFile, context),
    resourceOfKind: (kind) => scopes.now.scopeOfKind(kind)?.resource,
    services: anyAddress(routedServices(reader, config.aggregation)),
    serverId: serverId(),
    manifestObject: (document) => manifestObject(scopes, context.clock, document),
    inVersion: (kind, object) => scopes.now.scopeOfKind(kind)?.conversion.fromStored(cloneObject(object)),
  });
  const escalation = escalationGuard(policy, stored);
  return { authenticator, tokens, authorizer, admission, accountTokens, stored, escalation };
}

/** Where everything is allowed, users must be known: only what anybody may read is open to others. */
function authenticationBy({
  authentication: config,
  authorization: { configFile, modes },
}: ServerConfig): Pick<AuthenticatorContext, 'config' | 'anonymousPaths'> {
  const allowsAll = configFile === undefined && modes.includes('AlwaysAllow');
  return allowsAll ? { config, anonymousPaths: isPublicPath } : { config };
}

interface MetricsParts {
  readonly catalogue: LiveCatalogue;
  readonly scopes: ResourceScopes;
  readonly store: Store;
  readonly log: ServerLog;
  readonly measures: readonly Measure[];
  readonly limits: MetricLimits;
}

function serverMetrics(
  { api, storage }: ServerConfig,
  { catalogue, scopes, store, measures, limits }: MetricsParts,
): RequestMetrics {
  const { prefix, countIntervalMs, sizeIntervalMs } = storage;
  const metrics = requestMetrics({
    isKnown: isServed,
    addMetrics: async (registry) => {
      await addWatchCacheMetrics(registry, () => scopes.caches(), gatesByConfig(api));
      addPartMetrics(registry, [...measures, ...(store.measures ?? []), ...buildMetrics(api)]);
      const now = (): number => performance.now();
      const served = (): Catalogue => scopes.now.catalogue;
      const caches = (): readonly NamedCache[] => scopes.caches();
      await addStorageMetrics(registry, { store, served, caches, prefix, countIntervalMs, sizeIntervalMs, now });
    },
    withNative: gatesByConfig(api).get('NativeHistograms') === true,
    limit: (registry) => limitMetrics(registry, limits),
  });
  catalogue.subscribe((change) => metrics.changed(change));
  return metrics;
}

/** A watch is counted by the catalogue it started with. */
function isServed({ info, kinds }: Pick<RequestContext, 'info' | 'kinds'>): boolean {
  const { group, version, resource, subresource } = info;
  const found = kinds.scopeOf(group, version, resource)?.resource;
  return found !== undefined && (subresource === '' || found.subresources.some(({ name }) => name === subresource));
}

function liftedPolicies(api: ApiConfig): ReadonlySet<ClusterPolicy> {
  const lifted = liftedByGates(gatesByConfig(api));
  return api.allowPrivileged ? lifted.add('privileged') : lifted;
}

/** Throws a ConfigError. */
function builtInCatalogue(
  { api, storage }: ServerConfig,
  wiring: Wiring,
  later: Pick<BehaviourOptions, 'measure' | 'delayed'> &
    Pick<BehaviourOptions['services'], 'registers'> & { readonly judges: () => Judges },
): LiveCatalogue {
  const { registers, judges, ...more } = later;
  const behaviourOf = wiring.behaviour({
    services: { clusterIpRanges: api.serviceClusterIpRanges, nodePortRange: api.serviceNodePortRange, registers },
    lifted: liftedPolicies(api),
    featureGates: gatesByConfig(api),
    release: api.emulatedVersion,
    ...{ escalation: () => judges().escalation, stored: () => judges().stored },
    resourceOfKind: (kind) => servedName(catalogue.current, kind),
    ...more,
  });
  const { eventTtlSeconds, watchCache } = storage;
  const pagesAnyVersion = ({ group, plural }: Resource): boolean =>
    !watchCache.enabled || (watchCache.sizes.get(group === '' ? plural : `${plural}.${group}`) ?? 1) <= 0;
  const add = builtInKinds({
    served: servedByConfig(api),
    behaviourOf,
    eventTtlSeconds,
    pagesAnyVersion,
    release: api.emulatedVersion,
  });
  const catalogue = new LiveCatalogue(Catalogue.empty.with({ add }));
  return catalogue;
}

/** Listens on the first address family that the machine has. */
async function listen(
  listener: Listener,
  addresses: readonly string[],
  { securePort, sharesPort }: ServerConfig['serving'],
): Promise<number> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await listener.listen(address, securePort, sharesPort);
    } catch (error) {
      failure = error;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error;
    }
  }
  throw failure;
}
