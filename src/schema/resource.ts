import type { Schema } from './schema.ts';

export type ResourceVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/**
 * One resource in one version, built in or custom: what a path, discovery and the registry need to know of it.
 * The two records of a kind are this one and the `Schema` that it names.
 */
export interface Resource {
  /** Group it is served in; the core group is the empty string. */
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
  /** In discovery's order. Virtual resources (`subjectaccessreviews`) have `create` alone. */
  readonly verbs: readonly ResourceVerb[];
  /** Paths of the fields that selectors may name beside those of all kinds, as documents tell them: `spec.color`. */
  readonly selectableFields?: readonly string[];
  /** Those of the verbs that discovery tells, where it tells fewer: objects of a kind that is going can still be changed. */
  readonly toldVerbs?: readonly ResourceVerb[];
  readonly subresources: readonly Subresource[];
  readonly schema: Schema;
  /** Where its objects are kept; undefined for virtual resources. */
  readonly storage?: ResourceStorage;
  /** `1.21`, from the lifecycle markers of the type. */
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /** The gate without which the resource does not exist, whatever the configuration of its version. */
  readonly featureGate?: string;
  /** What those are told who ask for it, where that does not follow from the releases. */
  readonly deprecationWarning?: string;
  /** What to use instead, named by deprecation warnings. */
  readonly replacement?: { readonly group: string; readonly version: string; readonly kind: string };
}

/** A path below one object. */
export interface Subresource {
  /** `status`, `scale`, `eviction`, `log` ... */
  readonly name: string;
  readonly verbs: readonly ResourceVerb[];
  /** The kind it speaks, which may be of another group (`autoscaling/v1 Scale`). */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Undefined where the body is no object (`log`, `exec`, `proxy`). */
  readonly schema?: Schema;
}

/** Same keys as the reference: `/registry/pods/NAMESPACE/NAME`. */
export interface ResourceStorage {
  /** Key prefix without a slash at its end, below the storage prefix: `pods`, `services/specs`, `events`. */
  readonly prefix: string;
  /** Group and version that objects are stored in; events are stored in the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
