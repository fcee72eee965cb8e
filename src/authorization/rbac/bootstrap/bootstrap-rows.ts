/** A role that every server has. */
export interface BootstrapRole {
  /** Absent: a ClusterRole. */
  readonly namespace?: string;
  readonly name: string;
  /** The feature gate without which there is no such role. */
  readonly gate?: string;
  /** The role that takes in its rules: `admin`, `edit` or `view`. */
  readonly aggregatesTo?: string;
  /** It takes in the rules of all roles that aggregate to this one. */
  readonly gathers?: string;
  readonly rules: readonly BootstrapRule[];
}

/**
 * Lists in a fixed order: verbs, groups, resources and, of some, names; or verbs and paths.
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
