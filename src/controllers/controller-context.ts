import type { AdmittedUsages } from '../admission/plugins/resource-quota/admitted-usages.ts';
import type { Authorizer } from '../api/contracts/authorization.ts';
import type { AccountTokens } from '../authentication/service-account/account-tokens.ts';
import type { Client, SharedClient } from '../api/client/client.ts';
import type { MetadataClient } from '../api/client/metadata-client.ts';
import type { DelayedWrites } from '../api/scheduling/delayed-writes.ts';
import type { Clock } from '../api/time/clock.ts';
import type { ControllersConfig } from './controllers-config.ts';
import type { QueueMetrics } from './queue-metrics.ts';
import type { ServedKinds } from './served-kinds.ts';

/** Settings shared by all controllers of a server. */
export interface ControllerSettings {
  readonly config: ControllersConfig;
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** PEM of the authority by which clients within the cluster verify the server. */
  readonly rootCa: string;
  readonly accountTokens: AccountTokens;
  /** Delayed writes of the server. */
  readonly delayed: DelayedWrites;
  /** What quotas have been charged with for objects that are being created. */
  readonly admitted: AdmittedUsages;
  readonly kinds: ServedKinds;
  /** Metrics of work queues. */
  readonly queues: QueueMetrics;
}

/** Dependencies of controllers. */
export interface ControllerContext extends ControllerSettings {
  /** The API as the controller's own service account, limited to the rights of its role. */
  readonly client: Client;
  /** Metadata only, as the same service account. */
  readonly metadata: MetadataClient;
  /** Lists and watches for all controllers: objects are decoded once and shared, so callers must not modify them. */
  readonly shared: SharedClient;
  /** Knows what others may do. */
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  /** Reports failures; the controller retries by itself. */
  readonly onError: (error: unknown) => void;
}
