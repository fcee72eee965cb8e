import type { Client } from '../api/client.ts';
import type { Authorizer } from '../api/authorization.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import type { PartContext } from '../api/part.ts';
import type { StoredCollection, StoredObjects } from '../api/stored-objects.ts';
import type { PluginConfiguration } from './configuration/plugin-document.ts';

/** What plugins are made with. */
export interface PluginContext extends PartContext {
  readonly stored: StoredObjects;
  readonly authorizer: Authorizer;
  /** The API as the server itself uses it; it is there when the first request is judged. */
  readonly client: () => Client;
  /** Every gate with its state. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** The release that the server behaves as, such as `1.37`. */
  readonly release: string;
  readonly tolerationSeconds: TolerationSeconds;
  /** What the plugin of this name is configured with. */
  readonly configurationOf: (name: string) => Promise<PluginConfiguration>;
  /** What serves a kind; undefined: nothing. */
  readonly resourceOfKind: (
    kind: GroupVersionKind,
  ) => (StoredCollection & { readonly namespaced: boolean }) | undefined;
}

/** How long a pod that does not say stays on a node that is lost. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}
