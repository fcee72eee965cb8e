import type { Client } from '../api/client/client.ts';
import type { Authorizer } from '../api/contracts/authorization.ts';
import type { GroupVersionKind } from '../api/meta/group-version.ts';
import type { DelayedWrites } from '../api/scheduling/delayed-writes.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import type { StoredCollection, StoredObjects } from '../api/contracts/stored-objects.ts';
import type { ServiceResolver } from '../outgoing/service-resolver.ts';
import type { Schema } from '../schema/schema.ts';
import type { AdmittedUsages } from './plugins/resource-quota/admitted-usages.ts';
import type { PluginConfiguration } from './configuration/plugin-document.ts';

/** Dependencies of plugins. */
export interface PluginContext extends PartContext {
  readonly stored: StoredObjects;
  readonly tenure: StoreTenure;
  /** What plugins may write later than the requests that it is about. */
  readonly delayed: DelayedWrites;
  readonly admitted: AdmittedUsages;
  /** Reads and follows everything. */
  readonly reader: Client;
  readonly authorizer: Authorizer;
  /** The API as the server itself; available once the first request is admitted. */
  readonly client: () => Client;
  /** State of every feature gate. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** Identifies this server among those that share a store. */
  readonly serverId: string;
  /** The emulated release, such as `1.37`. */
  readonly release: string;
  readonly tolerationSeconds: TolerationSeconds;
  /** What the plugin of this name is configured with. */
  readonly configurationOf: (name: string) => Promise<PluginConfiguration>;
  /** Finds the services of webhooks. */
  readonly services: ServiceResolver;
  /** What serves a kind; undefined: nothing. */
  readonly resourceOfKind: (
    kind: GroupVersionKind,
  ) => (StoredCollection & { readonly namespaced: boolean; readonly schema: Schema }) | undefined;
  /** An object that a file has, with defaults, in the stored version. Throws a StatusError if it is not valid. */
  readonly manifestObject: (document: JsonObject) => Promise<KubernetesObject>;
  /** A copy of a stored object in the version of a kind; undefined if that is not served. Throws a StatusError. */
  readonly inVersion: (
    kind: GroupVersionKind,
    object: Readonly<KubernetesObject>,
  ) => Soon<KubernetesObject> | undefined;
}

/** How a server has its store. */
export interface StoreTenure {
  /** Whether other servers may write to it at the moment. */
  readonly isShared: () => boolean;
  /** The last server that had it was killed. */
  readonly wasCutOff: boolean;
  /** For what threads of the process would compete for in the store; undefined: there are no others at the moment. */
  readonly turn: (key: string) => Promise<Disposable> | undefined;
}

/** Default toleration of lost nodes, for pods that set none. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}
