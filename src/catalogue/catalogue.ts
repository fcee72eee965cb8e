import type { GroupVersionKind } from '../api/meta/group-version.ts';
import { keptBy } from '../api/collections/kept-by.ts';
import { OrderedMap } from '../api/collections/ordered-map.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import { replacingList } from '../schema/kubernetes/removed-versions.ts';
import { builtInGroups } from '../schema/kubernetes/resources.ts';
import type { Resource, ResourceStorage } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';
import { type CatalogueGroup, type CatalogueResource, changedGroup } from './catalogue-group.ts';
import type { KindEntry } from './kind-entry.ts';
import { noRegistrations, type Registrations } from './registrations.ts';
import type { RemoteVersion } from './remote-version.ts';

/** Entries added and removed atomically. */
export interface CatalogueChange {
  readonly remove?: readonly KindEntry[];
  readonly add?: readonly KindEntry[];
  readonly removeRemote?: readonly RemoteVersion[];
  readonly addRemote?: readonly RemoteVersion[];
  /** Replaces the previous ones. */
  readonly registrations?: Registrations;
}

/** The groups that a change is about. */
export function changedGroups(change: CatalogueChange): ReadonlySet<string> {
  const { remove = [], add = [], removeRemote = [], addRemote = [] } = change;
  return new Set([
    ...[...remove, ...add].flatMap(groupsOf),
    ...[...removeRemote, ...addRemote].map(({ group }) => group),
  ]);
}

/**
 * An immutable snapshot of what is served and known. Derived data are cached in WeakMaps, by the snapshot or by the
 * groups and versions that they derive from: a change invalidates nothing but what it concerns.
 *
 *   catalogue -> group `apps` -> version `v1` -> resource `deployments`
 */
export class Catalogue {
  static readonly empty = new Catalogue(OrderedMap.empty(), noRegistrations);

  /** APIServices that users have changed, which affects the groups in `/apis`. */
  readonly registrations: Registrations;
  readonly #groups: OrderedMap<CatalogueGroup>;
  #served: readonly CatalogueGroup[] | undefined;
  #stored: readonly StoredResource[] | undefined;

  private constructor(groups: OrderedMap<CatalogueGroup>, registrations: Registrations) {
    this.#groups = groups;
    this.registrations = registrations;
  }

  /** The snapshot after a change. */
  with(change: CatalogueChange): Catalogue {
    const { remove = [], add = [], removeRemote = [], addRemote = [] } = change;
    const removed = { remove: new Set(remove), removeRemote: new Set(removeRemote) };
    const added = Map.groupBy(add.flatMap(membersOf), ({ resource }) => resource.group);
    const addedRemote = Map.groupBy(addRemote, ({ group }) => group);
    let groups = this.#groups;
    for (const name of changedGroups(change)) {
      const coming = { add: added.get(name) ?? [], addRemote: addedRemote.get(name) ?? [] };
      const group = changedGroup(groups.get(name), name, { ...removed, ...coming });
      groups = group === undefined ? groups.delete(name) : groups.set(name, group);
    }
    return new Catalogue(groups, change.registrations ?? this.registrations);
  }

  /** Groups that are served, here or elsewhere, in discovery order; the core group comes first. */
  get groups(): readonly CatalogueGroup[] {
    this.#served ??= this.allGroups()
      .filter(({ versions }) => versions.length > 0)
      .toSorted(byPriority);
    return this.#served;
  }

  /** A group with served resources. */
  group(name: string): CatalogueGroup | undefined {
    const group = this.#groups.get(name);
    return group === undefined || group.versions.length === 0 ? undefined : group;
  }

  /** Stored kinds, each by its first served version, in discovery order. */
  storedResources(): readonly StoredResource[] {
    if (this.#stored !== undefined) return this.#stored;
    const places = new Set<string>();
    this.#stored = this.groups.flatMap(storedIn).filter(({ storage: { prefix } }) => {
      const isFirst = !places.has(prefix);
      places.add(prefix);
      return isFirst;
    });
    return this.#stored;
  }

  /** The served resource at a path. */
  served(group: string, version: string, plural: string): CatalogueResource | undefined {
    const place = this.#groups.get(group)?.version(version);
    const found = place?.remote === undefined ? place?.resource(plural) : undefined;
    return found?.served === true ? found : undefined;
  }

  /** A group version that another server serves. */
  remote(group: string, version: string): RemoteVersion | undefined {
    return this.#groups.get(group)?.version(version)?.remote;
  }

  /** All groups, including unserved versions. */
  allGroups(): readonly CatalogueGroup[] {
    // No group name sorts after a tilde.
    return this.#groups.slice('', '~');
  }

  /** The known resource at a path, served or not. */
  known(group: string, version: string, plural: string): CatalogueResource | undefined {
    return this.#groups.get(group)?.version(version)?.resource(plural);
  }

  /** The main resource of a kind, served or not. */
  resourceOf({ group, version, kind }: GroupVersionKind): CatalogueResource | undefined {
    return this.#groups.get(group)?.version(version)?.ofKind(kind);
  }

  /** Schema of a kind, served or not; lists, options and statuses are kinds as well. */
  schemaOf(kind: GroupVersionKind): Schema | undefined {
    const found = this.resourceOf(kind)?.resource.schema ?? schemaOfKind(kind);
    if (found !== undefined) return found;
    const replacing = replacingList(kind);
    return replacing && schemaOfKind(replacing);
  }

  /** Schema of a kind, including kinds of the release that are not enabled: loaded only on demand. */
  async loadSchemaOf(kind: GroupVersionKind): Promise<Schema | undefined> {
    const { schemaOfAnyKind } = await import('../schema/kubernetes/unserved-kinds.ts');
    return schemaOfAnyKind(kind);
  }

  /** Whether any resource of a built-in group is served. */
  hasReleaseGroup(group: string): boolean {
    return this.group(group) !== undefined && builtInGroups().some(({ name }) => name === group);
  }

  /** Whether the release has this version, served or not. */
  isOfRelease(group: string, version: string): boolean {
    const known = builtInGroups().find(({ name }) => name === group);
    return known?.versions.includes(version) === true || known?.unservedVersions.includes(version) === true;
  }
}

/** A kind in one version, and its storage. */
export interface StoredResource {
  readonly resource: Resource;
  readonly storage: ResourceStorage;
}

const storedIn = keptBy(({ versions }: CatalogueGroup): readonly StoredResource[] =>
  versions.flatMap(({ resources }) =>
    resources.flatMap((resource) => (resource.storage === undefined ? [] : [{ resource, storage: resource.storage }])),
  ),
);

function membersOf(entry: KindEntry): CatalogueResource[] {
  return entry.versions.map((version) => ({ ...version, entry }));
}

function groupsOf({ versions }: KindEntry): string[] {
  return versions.map(({ resource }) => resource.group);
}

function byPriority(a: CatalogueGroup, b: CatalogueGroup): number {
  if (a.name === '' || b.name === '') return a.name.length - b.name.length;
  return b.priority - a.priority || (a.name < b.name ? -1 : 1);
}
