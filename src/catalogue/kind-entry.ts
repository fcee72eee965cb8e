import type { GroupVersionKind } from '../api/meta/group-version.ts';
import type { KindBehaviour } from '../registry/kinds/kind-behaviour.ts';
import type { Resource } from '../schema/resource.ts';

/**
 * One kind in all of its known versions, made from a definition or from the table of built-in kinds. Entries are
 * immutable and compared by identity: a changed kind is a new entry in place of the old one.
 */
export interface KindEntry {
  /** All share one store. Their groups may differ: events are served in two. */
  readonly versions: readonly KindVersion[];
  readonly behaviour: KindBehaviour;
  /**
   * Entries with the same lineage share a store: an entry that replaces another keeps the store open, and no watch
   * ends. What they store must be the same; what they serve may differ (a definition being deleted offers fewer verbs).
   * Absent: a store of its own.
   */
  readonly runsAs?: object;
  /** Seconds after its last write that an object expires; absent: never. */
  readonly ttlSeconds?: number;
  /** The version in the store, if it differs from the one kept in memory. */
  readonly written?: GroupVersionKind;
  /** The revision at which the kind began: what was stored before is of a kind that is gone, and not watched. */
  readonly begunAt?: number;
  /** Lists are paged in any version, as in the reference for kinds without a watch cache. */
  readonly pagesAnyVersion?: boolean;
}

export interface KindVersion {
  readonly resource: Resource;
  /** Unserved versions are known all the same: stored objects may be in them, and are converted from them. */
  readonly served: boolean;
  readonly priority: VersionPriority;
}

/** Position in discovery: higher numbers first, equal groups by name, equal versions by maturity. */
export interface VersionPriority {
  /** A group has the highest priority of its versions. */
  readonly group: number;
  readonly version: number;
}

/** Priority of custom resources. */
export const definitionPriority: VersionPriority = { group: 1000, version: 100 };
