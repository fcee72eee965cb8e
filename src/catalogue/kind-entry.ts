import type { GroupVersionKind } from '../api/meta/group-version.ts';
import type { Converter } from '../registry/kinds/conversion.ts';
import type { KindResponses } from '../registry/kinds/kind-responses.ts';
import type { Strategy } from '../registry/kinds/strategy.ts';
import type { TableDefinition } from '../registry/kinds/table.ts';
import type { Defaulters } from '../schema/defaulters.ts';
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

/** What a kind does beyond its schemas; kinds may share a behaviour. */
export interface KindBehaviour {
  /** `seen` is the version in which strategies see objects: the storage version, unless `seesVersions`. */
  strategyOf(seen: Resource): Strategy;
  readonly converter: Converter;
  readonly defaulters: Defaulters;
  /** The kind may have changed since objects were stored: they are read as they would be written now. */
  readonly renews?: boolean;
  /**
   * Versions have schemas of their own: requests are handled in the version that they are for, objects read from the
   * version in which they are stored, and written in the storage version.
   */
  readonly seesVersions?: boolean;
  /** With those: objects may be stored in any version, not only in the storage version. */
  readonly mixesVersions?: boolean;
  /** A version may have been removed while objects were stored in it: they cannot be read. */
  readonly losesVersions?: boolean;
  readonly responses: KindResponses;
  /** Table columns of the kind, or of a subresource. */
  tableOf(kind: GroupVersionKind): Promise<TableDefinition>;
}
