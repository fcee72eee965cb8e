import type { Auditor } from '../../audit/request-audit.ts';
import type { Peers } from '../../aggregation/peers/peers.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { MetricDefinition } from '../../api/metrics/metric.ts';
import type { Clock } from '../../api/time/clock.ts';
import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { Encryption } from '../../encryption/encryption.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import { SeatSharing } from '../../flowcontrol/seat-sharing.ts';
import { connectMetrics } from '../../http/connect/connect-metrics.ts';
import { connectsTo } from '../../http/connect/connect-table.ts';
import { OpenWatches } from '../../http/request/open-watches.ts';
import { RequestDrain } from '../../http/stages/drain.ts';
import type { Exchange } from '../../http/transport/exchange.ts';
import type { TakesUpgrades } from '../../http/transport/http1-server.ts';
import { Listener, type ListenerOptions } from '../../http/transport/listener.ts';
import { verbsByName } from '../../http/verbs/verb-table.ts';
import { readMetricLimits } from '../../metrics/metric-limits.ts';
import type { RequestMetrics } from '../../metrics/request-metrics.ts';
import type { ClusterConnections } from '../../outgoing/cluster-connections.ts';
import type { Tracing } from '../../tracing/tracing-contract.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import type { Access } from '../access/access.ts';
import { accessClient } from '../access/rbac-parts.ts';
import { upgradesAt } from '../aggregation/upgrades-at.ts';
import type { ServerConfig } from '../config.ts';
import { allowedOrigins } from '../entry/allowed-origins.ts';
import { controlPlaneComponents } from '../entry/components.ts';
import { requestEntry } from '../entry/request-entry.ts';
import type { StageParts } from '../entry/stage-parts.ts';
import { openFlowControl } from '../flow-control/open-flow-control.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { endOfServing, endsWatches, leaveToOthers, type ServingParts } from '../listening/end-serving.ts';
import { openConnections } from '../listening/open-connections.ts';
import type { Serving } from '../listening/serving.ts';
import type { ServerLog } from '../logging/server-log.ts';
import { type MetricsParts, serverMetrics } from '../metrics/server-metrics.ts';
import { openAuditor } from '../open-auditor.ts';
import { openDebugSocket } from '../open-debug-socket.ts';
import { openPeers, type PeersParts } from '../peers/open-peers.ts';
import { SharedRegisters } from '../services/service-registers.ts';
import type { SharedParts } from '../threads/shared-parts.ts';
import type { Wiring } from '../wiring.ts';
import type { KindsPhase } from './kinds.ts';
import type { Later } from './later.ts';
import type { StorePhase } from './store.ts';

/** Requests can be served as soon as connections are accepted. */
export interface EntryPhase {
  readonly registers: SharedRegisters;
  readonly metrics: RequestMetrics;
  /** Undefined: nothing is audited. */
  readonly auditor: Auditor | undefined;
  readonly flowControl: FlowControl | undefined;
  readonly peers: Peers | undefined;
  readonly connections: ClusterConnections;
  readonly listener: Listener;
  /** Serves what another thread has accepted. */
  readonly handle: (exchange: Exchange) => void;
  /** Ends what clients are served. */
  end(): Promise<void>;
  /** Ends what clients are served, for whom other threads go on. */
  retire(): Promise<void>;
}

export interface EntryPhaseOptions
  extends Pick<KindsPhase, 'ground' | 'catalogue'>, Pick<StorePhase, 'serving' | 'encryption'> {
  readonly log: ServerLog;
  readonly lifecycle: Lifecycle;
  readonly access: Access;
  readonly shared: SharedParts;
  /** Strategies of services allocate from the registers, which admit the objects that they write. */
  readonly registers: Later<SharedRegisters>;
}

export async function openEntryPhase(
  config: ServerConfig,
  wiring: Wiring,
  { ground, catalogue, serving, encryption, log, lifecycle, access, shared, ...later }: EntryPhaseOptions,
): Promise<EntryPhase> {
  const { sharing = new SeatSharing() } = shared;
  const parts = { ...ground, log, ...(await configuredParts(config, { ...ground, catalogue, log, shared, sharing })) };
  const registers = later.registers.set(new SharedRegisters({ ...parts, ...access, processPorts: shared.ports }));
  const metrics = serverMetrics(config, { ...parts, catalogue, otherMetrics: shared.otherMetrics });
  const listening = makeListener(config, wiring, {
    ...parts,
    ...shared,
    sharing,
    lifecycle,
    access,
    serving,
    encryption,
    metrics,
    ...listenerOptions(catalogue, ground),
    connectionsChanged: shared.connectionsChanged,
  });
  const { auditor, flowControl, peers, connections } = parts;
  return { registers, metrics, auditor, flowControl, peers, connections, ...listening };
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
    openPeers({ ...context, client: accessClient(context.scopes, context) }),
    openDebugSocket(config, context, context.log.verbosity),
  ]);
  return { limits, auditor, connections, allowsOrigin, peers, flowControl: openFlowControl(config, context) };
}

function listenerOptions(catalogue: LiveCatalogue, { metric }: PartContext): ListenerOptions {
  return { takesUpgrades: upgradesOf(catalogue), handshakeFailed: metric(handshakeErrors).counter({}) };
}

function upgradesOf(catalogue: LiveCatalogue): TakesUpgrades {
  const isRemote = upgradesAt(catalogue);
  return (path) => connectsTo(path) || isRemote(path);
}

const handshakeErrors: MetricDefinition = {
  name: 'apiserver_tls_handshake_errors_total',
  help: '[ALPHA] Connections whose TLS handshake failed.',
  type: 'counter',
  labelNames: [],
};

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
  readonly access: Access;
  readonly serving: Serving;
  readonly encryption: Encryption | undefined;
  readonly connections: ClusterConnections;
  readonly metric: PartContext['metric'];
}

/** The listener, and how it ends. */
function makeListener(
  config: ServerConfig,
  wiring: Wiring,
  parts: Omit<EntryParts, 'drain' | 'watches'> & ListenerOptions,
): Pick<EntryPhase, 'listener' | 'handle' | 'end' | 'retire'> {
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
  { lifecycle, access, serving, connections, encryption, metrics, othersServe, lanes, ...parts }: EntryParts,
): ReturnType<typeof requestEntry> {
  const { clock, scopes, store, log } = parts;
  return requestEntry(
    {
      config,
      log,
      ...access,
      scopes,
      verbs: verbsByName(wiring.verbs),
      virtual: wiring.virtualResources,
      connects: wiring.connects,
      connections,
      connectMetrics: connectMetrics(parts),
      health: {
        rows: wiring.healthChecks,
        store,
        lifecycle,
        serving,
        encryption,
        othersServe,
      },
      components: controlPlaneComponents(store.components),
      lanes,
      drain: parts.drain,
      watches: parts.watches,
      metrics,
      metric: parts.metric,
      auditor: parts.auditor,
      flowControl: parts.flowControl,
      sharing: parts.sharing,
      allowsOrigin: parts.allowsOrigin,
      tracing: parts.tracing,
      peers: parts.peers,
      takeSnapshot: store.takeSnapshot,
      upkeep: store.upkeep,
    },
    { clock, wiring },
  );
}
