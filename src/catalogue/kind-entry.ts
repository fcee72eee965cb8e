import type { GroupVersionKind } from '../api/group-version.ts';
import type { Converter } from '../registry/conversion.ts';
import type { KindAnswers } from '../registry/kind-answers.ts';
import type { Strategy } from '../registry/strategy.ts';
import type { TableDefinition } from '../registry/table.ts';
import type { Defaulters } from '../schema/defaulters.ts';
import type { Resource } from '../schema/resource.ts';

/**
 * One kind in all versions that are known of it: what a definition yields, and what the table of built-in kinds yields. Entries never
 * change and are known by their identity: a kind that changes is a new entry in the place of the old one.
 */
export interface KindEntry {
  /** All share one store. Their groups may differ: events are served in two. */
  readonly versions: readonly KindVersion[];
  readonly behaviour: KindBehaviour;
  /**
   * Entries of the same object run as one: an entry that takes the place of another goes on with its store, and no watch ends. What they
   * store must be the same; what is told of them may differ (a definition that is being deleted offers fewer verbs). Absent: by itself.
   */
  readonly runsAs?: object;
  /** Seconds after its last write that an object vanishes by itself; absent: never. */
  readonly ttlSeconds?: number;
  /** The version that objects are written to the store in, where it is not the one that they are kept in above it. */
  readonly written?: GroupVersionKind;
  /** Lists of any version come in pages as others do: what the reference does where it has no watch cache. */
  readonly pagesAnyVersion?: boolean;
}

export interface KindVersion {
  readonly resource: Resource;
  /** A version that is not served is known all the same: objects are stored in it and converted from it. */
  readonly served: boolean;
  readonly priority: VersionPriority;
}

/** Where discovery tells a version: higher numbers come first, equal groups by name, equal versions by maturity. */
export interface VersionPriority {
  /** A group has the highest of its versions. */
  readonly group: number;
  readonly version: number;
}

/** The priority of kinds that definitions make. */
export const definitionPriority: VersionPriority = { group: 1000, version: 100 };

/** What a kind does beyond its schemas; kinds may share it. */
export interface KindBehaviour {
  /** `stored` is the record of the version that objects are stored in, in which strategies see them. Asked for once, at first use. */
  strategyOf(stored: Resource): Strategy;
  readonly converter: Converter;
  readonly defaulters: Defaulters;
  /** Stored objects may have been written when the kind was another: they are read as they would be written now. */
  readonly renews?: boolean;
  /** Objects are stored in several versions, and the converter must be waited for: each is converted when it is read. */
  readonly mixesVersions?: boolean;
  readonly answers: KindAnswers;
  /** How the kind prints as a Table, or that of one of its subresources. */
  tableOf(kind: GroupVersionKind): Promise<TableDefinition>;
}
