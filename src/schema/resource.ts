import type { Schema } from './schema.ts';

export type ResourceVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/**
 * One resource in one version, built in or custom: everything that paths, discovery and the registry need to know.
 * Together with the `Schema` it refers to, it describes a kind.
 */
export interface Resource {
  /** API group; the core group is the empty string. */
  readonly group: string;
  readonly version: string;
  /** Plural name in paths. */
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** In discovery order. Virtual resources (`subjectaccessreviews`) only have `create`. */
  readonly verbs: readonly ResourceVerb[];
  /** Field selector paths beyond the common ones, for OpenAPI: `spec.color`. */
  readonly selectableFields?: readonly string[];
  /** The verbs shown in discovery, if fewer: objects of a terminating kind can still be changed. */
  readonly discoveryVerbs?: readonly ResourceVerb[];
  readonly subresources: readonly Subresource[];
  readonly schema: Schema;
  /** Whether the schema is that of a custom resource, where this is known without parsing it. */
  readonly unstructured?: boolean;
  /** Where objects are stored; undefined for virtual resources. */
  readonly storage?: ResourceStorage;
  /** `1.21`, from the lifecycle markers of the type. */
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /** The gate that enables the resource, whatever its version's configuration. */
  readonly featureGate?: string;
  /** The deprecation warning, if it does not follow from the releases. */
  readonly deprecationWarning?: string;
  /** The replacement named in deprecation warnings. */
  readonly replacement?: { readonly group: string; readonly version: string; readonly kind: string };
}

export interface Subresource {
  /** `status`, `scale`, `eviction`, `log` ... */
  readonly name: string;
  readonly verbs: readonly ResourceVerb[];
  /** The kind it serves, possibly from another group (`autoscaling/v1 Scale`). */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Undefined if the body is not an object (`log`, `exec`, `proxy`). */
  readonly schema?: Schema;
}

/** Where objects are stored, with the reference's keys: `/registry/pods/NAMESPACE/NAME`. */
export interface ResourceStorage {
  /** Key prefix below the storage prefix, without a trailing slash: `pods`, `services/specs`, `events`. */
  readonly prefix: string;
  /** Storage version; events are stored in the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
