import type { Authorizer } from '../api/authorization.ts';
import type { Client } from '../api/client.ts';
import type { PartContext } from '../api/part.ts';
import type { StoredObjects } from '../api/stored-objects.ts';

/** Dependencies of plugins. */
export interface PluginContext extends PartContext {
  readonly stored: StoredObjects;
  /** Reads and follows everything. */
  readonly reader: Client;
  readonly authorizer: Authorizer;
  /** State of every feature gate. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** The emulated release, such as `1.37`. */
  readonly release: string;
  readonly tolerationSeconds: TolerationSeconds;
}

/** Default toleration of lost nodes, for pods that set none. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}
