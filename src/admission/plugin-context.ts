import type { StoredObjects } from './stored-objects.ts';

/** What plugins are made with. */
export interface PluginContext {
  readonly stored: StoredObjects;
  /** Every gate with its state. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  readonly tolerationSeconds: TolerationSeconds;
}

/** How long a pod that does not say stays on a node that is lost. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}
