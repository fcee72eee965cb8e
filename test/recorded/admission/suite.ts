import type { ServerConfig } from '../../../src/server/config.ts';
import type { Scenario } from '../differential/scenario.ts';

/** Requests that are answered by a server with plugins of its own. */
export interface Suite {
  readonly scenario: Scenario;
  /** What it is started with; the reference is given the flags of `flags`, which mean the same. */
  readonly config: Partial<ServerConfig>;
  readonly flags: readonly string[];
  /** The controllers of kube-controller-manager that are at work beside the reference. */
  readonly controllers?: readonly string[];
}
