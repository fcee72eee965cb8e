/** A role of the bootstrap policy. */
export interface BootstrapRole {
  /** Absent: a ClusterRole. */
  readonly namespace?: string;
  readonly name: string;
  /** The feature gate that it depends on. */
  readonly gate?: string;
  /** The role that it is aggregated to: `admin`, `edit` or `view`. */
  readonly aggregatesTo?: string;
  /** The role aggregates the rules of all roles labelled for it. */
  readonly gathers?: string;
  readonly rules: readonly BootstrapRule[];
}

/**
 * Comma-separated lists in a fixed order: verbs, groups, resources and, optionally, names; or verbs and paths.
 *
 *     'get,list core,apps pods,deployments/scale'    'update core configmaps cluster-info'    'get /livez,/livez/*'
 */
export type BootstrapRule = string | { readonly rule: string; readonly gate: string };

/** Binds a role to its subjects. */
export interface BootstrapBinding {
  /** Absent: a ClusterRoleBinding. */
  readonly namespace?: string;
  readonly name: string;
  /** Absent: the role of the same name. */
  readonly role?: string;
  /** `user NAME`, `group NAME` or `account NAMESPACE/NAME`. */
  readonly subjects: readonly string[];
}
