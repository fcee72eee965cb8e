import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import type { Schema } from '../schema/schema.ts';

export interface ServedKind extends GroupVersionKind {
  readonly schema: Schema;
}

/** The kinds that are served now. */
export interface ServedKinds {
  /** Those of a resource; of resources of any group if that is empty. */
  ofResource(resource: GroupVersionResource): readonly ServedKind[];
  ofKind(kind: GroupVersionKind): ServedKind | undefined;
}
