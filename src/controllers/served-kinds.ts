import type { ClientResource } from '../api/client/client.ts';
import type { GroupVersionKind, GroupVersionResource } from '../api/meta/group-version.ts';
import type { ServedKind } from '../operations/resource-scope.ts';

/** The currently served kinds. */
export interface ServedKinds {
  /** The kinds of a resource, in any group if the group is empty. */
  ofResource(resource: GroupVersionResource): readonly ServedKind[];
  ofKind(kind: GroupVersionKind): ServedKind | undefined;
  /** A resource in the preferred of its versions, whether or not its objects are stored. */
  preferred(resource: Pick<GroupVersionResource, 'group' | 'resource'>): ClientResource | undefined;
}
