import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { remoteResourceOf } from '../../client/remote-resources.ts';

/** The name of the resource that serves a kind, here or elsewhere; undefined if discovery shows none. */
export function servedName(catalogue: Catalogue, kind: GroupVersionKind): string | undefined {
  const { plural } = catalogue.resourceOf(kind)?.resource ?? {};
  if (plural !== undefined && catalogue.served(kind.group, kind.version, plural) !== undefined) return plural;
  return remoteResourceOf(catalogue, kind)?.resource;
}
