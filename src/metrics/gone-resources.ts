import { formatGroupResource, type GroupResource } from '../api/meta/group-version.ts';
import { LruMap } from '../api/collections/lru-map.ts';
import type { CatalogueChange } from '../catalogue/catalogue.ts';
import type { KindEntry } from '../catalogue/kind-entry.ts';

/** Requests that began when a resource was served are counted when it no longer is. */
const remembered = 100;

/**
 * Resources that were served and no longer are. Those that have been gone longest are forgotten: definitions that come
 * and go must not leave metrics behind for ever.
 */
export class GoneResources {
  readonly #byName: LruMap<string, GroupResource>;

  constructor(forget: (resource: GroupResource) => void) {
    this.#byName = new LruMap(remembered, (_, resource) => forget(resource));
  }

  note({ remove = [], add = [] }: CatalogueChange): void {
    for (const resource of remove.flatMap(resourcesOf)) {
      this.#byName.set(formatGroupResource(resource), resource);
    }
    for (const resource of add.flatMap(resourcesOf)) this.#byName.delete(formatGroupResource(resource));
  }
}

function resourcesOf({ versions }: KindEntry): readonly GroupResource[] {
  return versions.map(({ resource: { group, plural } }) => ({ group, resource: plural }));
}
