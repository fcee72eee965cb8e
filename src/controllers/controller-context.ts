import type { Authorizer } from '../api/authorization.ts';
import type { AccountTokens } from '../authentication/service-account/account-tokens.ts';
import type { Client } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import type { ControllersConfig } from './controllers-config.ts';

/** What controllers are made with. */
export interface ControllerContext {
  /** The API, for the controller's own service account. */
  readonly client: Client;
  /** Knows what others may do. */
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  /** PEM of the authority by which clients within the cluster know the server. */
  readonly rootCa: string;
  readonly accountTokens: AccountTokens;
  readonly config: ControllersConfig;
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** Told of failures; the controller tries again by itself. */
  readonly onError: (error: unknown) => void;
}
