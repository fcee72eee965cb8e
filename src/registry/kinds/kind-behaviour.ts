import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { Defaulters } from '../../schema/defaulters.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Converter } from './conversion.ts';
import type { KindResponses } from './kind-responses.ts';
import type { Strategy } from './strategy.ts';
import type { TableDefinition } from './table.ts';

/**
 * What a kind does beyond its schemas, in all versions; kinds may share it. Built-in kinds are defined in `resources/`,
 * custom ones by their definitions.
 */
export interface KindBehaviour {
  /** `seen` is the version in which strategies see objects: the storage version, unless `seesVersions`. */
  strategyOf(seen: Resource): Strategy;
  readonly converter: Converter;
  /** Defaults for its types, in all versions. */
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
  /** Table columns of the kind, or of a subresource; imported lazily. */
  tableOf(kind: GroupVersionKind): Promise<TableDefinition>;
}
