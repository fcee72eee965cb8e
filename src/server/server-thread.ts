import { AdmittedUsages } from '../admission/plugins/resource-quota/admitted-usages.ts';
import { DelayedWrites } from '../api/scheduling/delayed-writes.ts';
import { type Clock, systemClock } from '../api/time/clock.ts';
import { allowedOrigins } from './entry/allowed-origins.ts';
import { openAuditor } from './open-auditor.ts';
import type { Auditor } from '../audit/request-audit.ts';
import type { Encryption } from '../encryption/encryption.ts';
import type { MeasureDefinition } from '../api/metrics/measure.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { Peers } from '../aggregation/peers/peers.ts';
import { upgradesAt } from './aggregation/upgrades-at.ts';
import { openAggregator, preparedStorage, type StorageOptions } from './aggregation/open-aggregator.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { TakesUpgrades } from '../http/transport/http1-server.ts';
import { connectMeasures } from '../http/connect/connect-measures.ts';
import { connectsTo } from '../http/connect/connect-table.ts';
import type { Exchange } from '../http/transport/exchange.ts';
import { checkUnused, Listener, type ListenerOptions } from '../http/transport/listener.ts';
import { OpenWatches } from '../http/request/open-watches.ts';
import { RequestDrain } from '../http/stages/drain.ts';
import { verbsByName } from '../http/verbs/verb-table.ts';
import type { Shedding } from '../http/transport/share-of.ts';
import type { ClusterConnections } from '../outgoing/cluster-connections.ts';
import { gatesByConfig } from './kinds/served-by-config.ts';
import { requestEntry } from './entry/request-entry.ts';
import type { ServerConfig } from './config.ts';
import { controlPlaneComponents } from './entry/components.ts';
import { endOfServing, endsWatches, leaveToOthers, type ServingParts } from './listening/end-serving.ts';
import { followDefinitions } from './kinds/definitions.ts';
import { ServerLog } from './logging/server-log.ts';
import type { StageParts } from './entry/stage-parts.ts';
import { serverContext } from './server-context.ts';
import { SeatSharing } from '../flowcontrol/seat-sharing.ts';
import { openFlowControl } from './flow-control/open-flow-control.ts';
import type { FlowControl } from '../flowcontrol/flow-control.ts';
import type { Tracing } from '../tracing/tracing-contract.ts';
import { openDebugSocket } from './open-debug-socket.ts';
import { openPeers, type PeersParts } from './peers/open-peers.ts';
import { openConnections } from './listening/open-connections.ts';
import { openEncryption } from './open-encryption.ts';
import { ResourceScopes } from '../scopes/resource-scopes.ts';
import { judgesClient } from './access/rbac-parts.ts';
import { frontProxyOf, prepareServing, type Serving } from './listening/serving.ts';
import { SharedRegisters } from './services/service-registers.ts';
import type { Wiring } from './wiring.ts';
import { Lifecycle } from './lifecycle.ts';
import { InProcessClient } from '../client/in-process-client.ts';
import { systemUser } from '../system/system-operation.ts';
import type { Store } from './store/store.ts';
import { pluginsByConfig } from './access/built-in-admission.ts';
import { readMetricLimits } from '../metrics/metric-limits.ts';
import { StoreMeasures } from '../scopes/store-measures.ts';
import type { KindSchemas } from '../codec/document.ts';
import type { TracedPartContext } from './server-context.ts';
import type { FollowedDefinitions } from './kinds/definitions.ts';
import type { Aggregator } from '../aggregation/aggregator.ts';
import type { FrontProxy } from '../authentication/pki/front-proxy.ts';
import { makeJudges, type Judges } from './access/judges.ts';
import { builtInCatalogue } from './kinds/built-in-catalogue.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { serverMetrics, type MetricsParts } from './metrics/server-metrics.ts';
import type { SharedParts } from './threads/shared-parts.ts';

/** What a thread needs of its process. */
export interface ThreadSurroundings {
  readonly log: ServerLog;
  /** The time of the API. */
  readonly clock?: Clock;
  /** Disposes of the thread's parts, in reverse order. */
  readonly opened: AsyncDisposableStack;
  /** `what` failed. */
  readonly onError: (what: string) => (error: unknown) => void;
  /** It may be followed by others, which listen on the same port. */
  readonly isFirst: boolean;
  /** By which clients resume TLS sessions; undefined: the thread is the only one and has its own. */
  readonly ticketKeys: Buffer | undefined;
  /** `schemaOf` looks up kinds that objects in the store may be of. */
  readonly openStore: (schemaOf: KindSchemas) => Promise<Store>;
  /** Called when kinds can be used, before anything reads them; resolves to the state of the server. */
  readonly prepared: (ground: ThreadGround) => Promise<Lifecycle>;
  /** What the start has begun. It may wait for parts that try while the store is out of reach: they end first. */
  readonly started: () => Promise<void>;
  readonly shared: SharedParts;
}

/** What is there before requests can be judged. */
export interface ThreadGround extends TracedPartContext {
  readonly config: ServerConfig;
  readonly scopes: ResourceScopes;
  readonly store: Store;
  readonly frontProxy: FrontProxy | undefined;
}

/** A server but for what its process does once: it answers requests, with its own kinds, watch caches and policies. */
export interface ServerThread {
  readonly ground: ThreadGround;
  readonly lifecycle: Lifecycle;
  readonly catalogue: LiveCatalogue;
  readonly charges: Charges;
  readonly serving: Serving;
  readonly judges: Judges;
  readonly registers: SharedRegisters;
  readonly definitions: FollowedDefinitions;
  readonly aggregator: Aggregator;
  readonly flowControl: FlowControl | undefined;
  readonly peers: Peers | undefined;
  readonly metrics: RequestMetrics;
  /** Undefined: nothing is audited. */
  readonly auditor: Auditor | undefined;
  /** Serves what another thread has accepted. */
  readonly handle: (exchange: Exchange) => void;
  /** Resolves to the port. */
  listen(): Promise<number>;
  /** Ends what clients are served. */
  end(): Promise<void>;
  /** Connections that are open. */
  connections(): number;
  /** Tells the clients of a share of the connections to come again. */
  shed(shedding: Shedding): void;
  /** Ends what clients are served, for whom other threads go on. */
  retire(): Promise<void>;
  /** Closes all connections at once. */
  cutOff(): Promise<void>;
}

/** What quotas have been charged with, and is still to be written. */
export interface Charges {
  readonly delayed: DelayedWrites;
  readonly admitted: AdmittedUsages;
}

/** Opens all parts of a thread; it serves when it listens. */
export async function openThread(
  config: ServerConfig,
  wiring: Wiring,
  { log, opened, onError, openStore, prepared, started, ticketKeys, isFirst, shared, ...given }: ThreadSurroundings,
): Promise<ServerThread> {
  const { sharing = new SeatSharing() } = shared;
  const { clock = systemClock } = given;
  const context = await serverContext(config, {
    ...{ clock, log, opened, threadName: shared.threadName },
    onError: onError('a part of the server failed'),
  });
  const { measure, egress } = context;
  const charges = { delayed: new DelayedWrites(), admitted: new AdmittedUsages() };
  const catalogue = builtInCatalogue(config, wiring, {
    ...{ registers: () => registers, judges: () => judges, measure, delayed: charges.delayed },
  });
  const plugins = pluginsByConfig(wiring.admissionPlugins, config.admission);
  const encryption = await openEncryption(config, context);
  const opening = openStore((kind) => catalogue.current.schemaOf(kind));
  opened.defer(async () => (await opening.catch(() => undefined))?.[Symbol.asyncDispose]());
  const [store, serving] = await Promise.all([opening, prepareServing(config, context, ticketKeys)]);
  const places = placesIn({ ...store, ...encryptionIn(encryption) }, config, { clock, measure });
  const unprepared = shared.ports === undefined ? places : { ...places, remembered: rememberedByFurtherThreads };
  const scopes = new ResourceScopes(
    catalogue,
    preparedStorage(unprepared, () => aggregator),
  );
  const ground = { ...context, config, scopes, store, frontProxy: frontProxyOf(config, systemClock) };
  const lifecycle = await prepared(ground);
  const judges = await makeJudges(config, wiring, {
    ...{ context, scopes, plugins, store, ...charges, ownAuthority: serving.authority },
    sharedTokens: shared.tokens,
    othersWrite: shared.othersWrite,
    client: () => new InProcessClient({ scopes, clock, user: systemUser, manager: 'kube-apiserver', ...judges }),
  });
  const parts = { ...ground, log, ...(await configuredParts(config, { ...ground, catalogue, log, shared, sharing })) };
  const registers = new SharedRegisters({ ...parts, ...judges, processPorts: shared.ports });
  const metrics = metricsOf(config, { ...parts, catalogue }, shared);
  const { listener, handle, end, retire } = makeListener(config, wiring, {
    ...{ ...parts, ...shared, sharing, lifecycle, judges, serving, encryption, metrics },
    ...listenerOptions(catalogue, context),
    connectionsChanged: shared.connectionsChanged,
  });
  opened.use(scopes);
  opened.defer(() => charges.delayed.flush());
  opened.defer(end);
  opened.use(parts.connections);
  opened.defer(started);
  const client = { scopes, ...judges, clock, log, measure, egress, routing: config.aggregation };
  const definitions = opened.use(await followDefinitions(client, catalogue, onError('following definitions failed')));
  const { aggregator, begin } = await openAggregator({ ...ground, catalogue, definitions, unprepared });
  await begin();
  return {
    ...{ ground, lifecycle, catalogue, charges, serving, judges, registers, definitions, aggregator },
    ...{ end, retire, metrics, handle, auditor: parts.auditor, flowControl: parts.flowControl, peers: parts.peers },
    connections: () => listener.connections,
    shed: (shedding) => listener.shed(shedding),
    cutOff: () => listener.destroy(),
    listen: () => listen(listener, serving.listenAddresses, { ...config.serving, isFirst }),
  };
}

function encryptionIn(encryption: Encryption | undefined): Pick<StorageOptions, 'encryptionOf'> {
  return encryption === undefined ? {} : { encryptionOf: (resource) => encryption.of(resource) };
}

/** Clients of other threads, which may be seconds behind, continue here. */
const rememberedByFurtherThreads = 5_000;

function placesIn(
  store: Pick<StorageOptions, 'storage' | 'storageOf' | 'format' | 'encryptionOf'> & Pick<Store, 'isShared'>,
  { storage: { prefix }, api }: ServerConfig,
  { clock, measure }: Pick<PartContext, 'clock' | 'measure'>,
): StorageOptions {
  const namesUnreadable = gatesByConfig(api).get('AllowUnsafeMalformedObjectDeletion') ?? false;
  return {
    ...store,
    prefix,
    namesUnreadable,
    // Another process holds it then.
    startsFromMemory: store.isShared,
    collectsGarbage: api.collectsGarbage,
    clock,
    measures: new StoreMeasures(measure),
  };
}

function runningRequests({ shutdown }: ServerConfig): Pick<ServingParts, 'drain' | 'watches'> {
  const { sendsRetryAfter } = shutdown;
  const drain = new RequestDrain({ sendsRetryAfter, endsWatches: endsWatches(shutdown) });
  return { drain, watches: new OpenWatches() };
}

/** Parts that depend only on the configuration and its files. */
async function configuredParts(
  config: ServerConfig,
  context: Omit<PeersParts, 'client'> & {
    readonly scopes: ResourceScopes;
    readonly log: ServerLog;
    readonly shared: SharedParts;
    readonly sharing: SeatSharing;
  },
): Promise<
  Pick<EntryParts, 'auditor' | 'connections' | 'flowControl' | 'allowsOrigin' | 'peers'> & Pick<MetricsParts, 'limits'>
> {
  const [limits, auditor, connections, allowsOrigin, peers] = await Promise.all([
    readMetricLimits(config.metrics),
    openAuditor(config, context, context.shared),
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

/** Whoever asks sees the metrics of all threads. */
function metricsOf(
  config: ServerConfig,
  parts: Omit<MetricsParts, 'otherMetrics'>,
  { otherMetrics }: SharedParts,
): RequestMetrics {
  return serverMetrics(config, { ...parts, otherMetrics });
}

interface EntryParts
  extends
    Pick<MetricsParts, 'scopes' | 'store' | 'log'>,
    Pick<ServingParts, 'drain' | 'watches'>,
    Omit<SharedParts, 'sharing'> {
  readonly metrics: RequestMetrics;
  readonly clock: Clock;
  readonly auditor: Auditor | undefined;
  readonly tracing: Tracing | undefined;
  readonly flowControl: FlowControl | undefined;
  readonly sharing: StageParts['sharing'];
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
): Pick<ServerThread, 'handle' | 'end' | 'retire'> & { readonly listener: Listener } {
  const running = runningRequests(config);
  const entry = makeEntry(config, wiring, { ...parts, ...running });
  const { takeIn } = parts.store;
  const handle: typeof entry =
    takeIn === undefined
      ? entry
      : (exchange) => {
          takeIn();
          entry(exchange);
        };
  const { passOn, onRequest } = parts;
  const accept: typeof handle =
    passOn === undefined && onRequest === undefined
      ? handle
      : (exchange) => {
          onRequest?.();
          if (passOn?.(exchange) !== true) handle(exchange);
        };
  const listener = new Listener(parts.serving.tls, accept, parts);
  parts.serving.follow((tls) => listener.renew(tls));
  const serving = { ...running, listener };
  const retire = (): Promise<void> => leaveToOthers(config, serving);
  return { listener, handle, retire, end: endOfServing(config, serving) };
}

function makeEntry(
  config: ServerConfig,
  wiring: Wiring,
  { lifecycle, judges, serving, connections, encryption, metrics, othersServe, lanes, ...parts }: EntryParts,
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
      health: { rows: wiring.healthChecks, store, lifecycle, serving, encryption, othersServe },
      components: controlPlaneComponents(store.components),
      lanes,
      ...{ drain: parts.drain, watches: parts.watches },
      metrics,
      measure: parts.measure,
      ...{
        auditor: parts.auditor,
        flowControl: parts.flowControl,
        sharing: parts.sharing,
        allowsOrigin: parts.allowsOrigin,
      },
      tracing: parts.tracing,
      peers: parts.peers,
      ...{ takeSnapshot: store.takeSnapshot, upkeep: store.upkeep },
    },
    { clock, wiring },
  );
}

/** Listens on the first address family that the machine has. */
async function listen(
  listener: Listener,
  addresses: readonly string[],
  { securePort, sharesPort, apiThreads, isFirst }: ServerConfig['serving'] & { readonly isFirst: boolean },
): Promise<number> {
  // Only for threads of this process: another one must not take the port.
  const isOurs = apiThreads !== 1 && !sharesPort;
  let failure: unknown;
  for (const address of addresses) {
    try {
      if (isOurs && isFirst && securePort !== 0) await checkUnused(address, securePort);
      return await listener.listen(address, securePort, sharesPort || isOurs);
    } catch (error) {
      failure = error;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error;
    }
  }
  throw failure;
}
