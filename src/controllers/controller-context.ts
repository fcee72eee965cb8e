import type { Authorizer } from '../api/authorization.ts';
import type { AccountTokens } from '../authentication/service-account/account-tokens.ts';
import type { Client, ReadingClient } from '../api/client.ts';
import type { MetadataClient } from '../api/metadata-client.ts';
import type { Clock } from '../api/clock.ts';
import type { ControllersConfig } from './controllers-config.ts';

/** What all controllers of a server are told. */
export interface ControllerSettings {
  readonly config: ControllersConfig;
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** PEM of the authority by which clients within the cluster know the server. */
  readonly rootCa: string;
  readonly accountTokens: AccountTokens;
}

/** What controllers are made with. */
export interface ControllerContext extends ControllerSettings {
  /** The API, for the controller's own service account, which may do what its role says. */
  readonly client: Client;
  /** The same as `client`, of all objects, and fast. */
  readonly metadata: MetadataClient;
  /** Lists and watches anything for all controllers: objects are read once for all of them, and nobody may change them. */
  readonly shared: ReadingClient;
  /** Knows what others may do. */
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  /** Reports failures; the controller retries by itself. */
  readonly onError: (error: unknown) => void;
}
