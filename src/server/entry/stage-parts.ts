import type { Admission } from '../../api/contracts/admission.ts';
import type { Authenticator, PresentedToken } from '../../api/contracts/authentication.ts';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import type { Peers } from '../../aggregation/peers/peers.ts';
import type { Auditor } from '../../audit/request-audit.ts';
import type { SeatSharing } from '../../flowcontrol/seat-sharing.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import type { AccountTokens } from '../../authentication/service-account/account-tokens.ts';
import type { ConnectMetrics, ConnectRow } from '../../http/connect/connect-handler.ts';
import type { OpenWatches } from '../../http/request/open-watches.ts';
import type { Lanes } from '../../http/request/lanes.ts';
import type { RequestDrain } from '../../http/stages/drain.ts';
import type { VerbRow } from '../../http/verbs/verb-table.ts';
import type { Component } from '../../http/virtual/component-statuses.ts';
import type { ClusterConnections } from '../../outgoing/cluster-connections.ts';
import type { Tracing } from '../../tracing/tracing-contract.ts';
import type { TakenSnapshot } from '../../storage/embedded/engine.ts';
import type { StoreUpkeep } from '../../storage/upkeep.ts';
import type { ServerConfig } from '../config.ts';
import type { HealthParts } from './health-checks.ts';
import type { ServerLog } from '../logging/server-log.ts';
import type { RequestMetrics } from '../../metrics/request-metrics.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import type { VirtualResourceRow } from '../kinds/virtual-resources.ts';

/** Dependencies of the stages. */
export interface StageParts {
  readonly config: ServerConfig;
  readonly log: ServerLog;
  readonly authenticator: Authenticator;
  /** Only for bearer tokens, for reviews. */
  readonly tokens: Authenticator<PresentedToken>;
  readonly authorizer: Authorizer;
  readonly accountTokens: AccountTokens;
  readonly stored: StoredObjects;
  readonly admission: Admission;
  readonly scopes: ResourceScopes;
  readonly verbs: ReadonlyMap<string, VerbRow>;
  readonly virtual: readonly VirtualResourceRow[];
  readonly connects: readonly ConnectRow[];
  readonly connections: ClusterConnections;
  readonly connectMetrics: ConnectMetrics;
  readonly health: HealthParts;
  readonly drain: RequestDrain;
  readonly watches: OpenWatches;
  readonly components: readonly Component[];
  readonly metrics: RequestMetrics;
  readonly metric: PartContext['metric'];
  /** Undefined: priority and fairness is off. */
  readonly flowControl: FlowControl | undefined;
  readonly sharing: SeatSharing;
  /** Serve large requests; undefined: they are served here. */
  readonly lanes: Lanes | undefined;
  /** Whether pages of an origin may use the API; undefined: none may. */
  readonly allowsOrigin: ((origin: string) => boolean) | undefined;
  /** Undefined: nothing is traced. */
  readonly tracing: Tracing | undefined;
  /** Undefined: requests are not passed on to other servers of the store. */
  readonly peers: Peers | undefined;
  /** Undefined: nothing is audited. */
  readonly auditor: Auditor | undefined;
  /** The current store in snapshot file format. */
  readonly takeSnapshot: (() => TakenSnapshot) | undefined;
  /** Compaction and defragmentation on request. */
  readonly upkeep: StoreUpkeep;
}
