import { formatGroupResource, type GroupResource } from '../../api/group-version.ts';
import { RecentKeys } from '../../api/recent-keys.ts';
import type { CatalogueChange } from '../../catalogue/catalogue.ts';
import type { KindEntry } from '../../catalogue/kind-entry.ts';

/** Requests that began when a resource was served are counted when it no longer is. */
const remembered = 100;

/**
 * Resources that were served and no longer are. Those that have been gone longest are forgotten: definitions that come
 * and go must not leave metrics behind for ever.
 */
export class GoneResources {
  readonly #byName = new Map<string, GroupResource>();
  readonly #recent: RecentKeys;

  constructor(forget: (resource: GroupResource) => void) {
    this.#recent = new RecentKeys(remembered, (name) => {
      const resource = this.#byName.get(name);
      this.#byName.delete(name);
      if (resource !== undefined) forget(resource);
    });
  }

  note({ remove = [], add = [] }: CatalogueChange): void {
    for (const resource of remove.flatMap(resourcesOf)) {
      const name = formatGroupResource(resource);
      this.#byName.set(name, resource);
      this.#recent.note(name);
    }
    for (const resource of add.flatMap(resourcesOf)) {
      const name = formatGroupResource(resource);
      this.#byName.delete(name);
      this.#recent.delete(name);
    }
  }
}

function resourcesOf({ versions }: KindEntry): readonly GroupResource[] {
  return versions.map(({ resource: { group, plural } }) => ({ group, resource: plural }));
}
