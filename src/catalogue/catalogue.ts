import type { GroupVersionKind } from '../api/group-version.ts';
import { OrderedMap } from '../api/ordered-map.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import { builtInGroups } from '../schema/kubernetes/resources.ts';
import type { Resource, ResourceStorage } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';
import { type CatalogueGroup, type CatalogueResource, changedGroup } from './catalogue-group.ts';
import type { KindEntry } from './kind-entry.ts';

/** Entries that come and go together: nobody sees some without the others. */
export interface CatalogueChange {
  readonly remove?: readonly KindEntry[];
  readonly add?: readonly KindEntry[];
}

/**
 * What is served and known at one moment; it never changes. What is made of it is kept by it, or by those of its groups and versions that
 * it is made of, in a WeakMap: a change makes nothing anew but what it is about.
 *
 *   catalogue -> group `apps` -> version `v1` -> resource `deployments`
 */
export class Catalogue {
  static readonly empty = new Catalogue(OrderedMap.empty());

  readonly #groups: OrderedMap<CatalogueGroup>;
  #served: readonly CatalogueGroup[] | undefined;
  #stored: readonly StoredResource[] | undefined;

  private constructor(groups: OrderedMap<CatalogueGroup>) {
    this.#groups = groups;
  }

  /** What it is after a change. */
  with({ remove = [], add = [] }: CatalogueChange): Catalogue {
    const removed = new Set(remove);
    const added = Map.groupBy(add.flatMap(membersOf), ({ resource }) => resource.group);
    const touched = new Set([...added.keys(), ...remove.flatMap(groupsOf)]);
    let groups = this.#groups;
    for (const name of touched) {
      const group = changedGroup(groups.get(name), name, { remove: removed, add: added.get(name) ?? [] });
      groups = group === undefined ? groups.delete(name) : groups.set(name, group);
    }
    return new Catalogue(groups);
  }

  /** Groups of which something is served, in discovery's order; the core group is the first. */
  get groups(): readonly CatalogueGroup[] {
    // No name of a group comes after a tilde.
    this.#served ??= this.#groups
      .slice('', '~')
      .filter(({ versions }) => versions.length > 0)
      .toSorted(byPriority);
    return this.#served;
  }

  /** A group of which something is served. */
  group(name: string): CatalogueGroup | undefined {
    const group = this.#groups.get(name);
    return group === undefined || group.versions.length === 0 ? undefined : group;
  }

  /** What is stored, each kind by the first version that is served, in discovery's order. */
  storedResources(): readonly StoredResource[] {
    if (this.#stored !== undefined) return this.#stored;
    const byPlace = new Map<string, StoredResource>();
    for (const { versions } of this.groups) {
      for (const resource of versions.flatMap(({ resources }) => resources)) {
        const { storage } = resource;
        if (storage !== undefined && !byPlace.has(storage.prefix)) byPlace.set(storage.prefix, { resource, storage });
      }
    }
    this.#stored = [...byPlace.values()];
    return this.#stored;
  }

  /** What is served at a path. */
  served(group: string, version: string, plural: string): CatalogueResource | undefined {
    const found = this.known(group, version, plural);
    return found?.served === true ? found : undefined;
  }

  /** What is known at a path, served or not. */
  known(group: string, version: string, plural: string): CatalogueResource | undefined {
    return this.#groups.get(group)?.version(version)?.resource(plural);
  }

  /** The resource that a kind is spoken of by, served or not. */
  resourceOf({ group, version, kind }: GroupVersionKind): CatalogueResource | undefined {
    return this.#groups.get(group)?.version(version)?.ofKind(kind);
  }

  /** Schema of a kind, served or not; lists, options, statuses are kinds too. */
  schemaOf(kind: GroupVersionKind): Schema | undefined {
    return this.resourceOf(kind)?.resource.schema ?? schemaOfKind(kind);
  }

  /** The same of kinds that the release knows and nobody serves: they are loaded for the few who name one. */
  async loadSchemaOf(kind: GroupVersionKind): Promise<Schema | undefined> {
    const { schemaOfAnyKind } = await import('../schema/kubernetes/unserved-kinds.ts');
    return schemaOfAnyKind(kind);
  }

  /** Whether something is served of a group of the release. */
  hasReleaseGroup(group: string): boolean {
    return this.group(group) !== undefined && builtInGroups().some(({ name }) => name === group);
  }

  /** Whether the release knows the version, whatever is served of it. */
  isOfRelease(group: string, version: string): boolean {
    const known = builtInGroups().find(({ name }) => name === group);
    return known?.versions.includes(version) === true || known?.unservedVersions.includes(version) === true;
  }
}

/** A kind by a version of it, and where it is stored. */
export interface StoredResource {
  readonly resource: Resource;
  readonly storage: ResourceStorage;
}

function membersOf(entry: KindEntry): CatalogueResource[] {
  return entry.versions.map((version) => ({ ...version, entry }));
}

function groupsOf({ versions }: KindEntry): string[] {
  return versions.map(({ resource }) => resource.group);
}

function byPriority(a: CatalogueGroup, b: CatalogueGroup): number {
  return b.priority - a.priority || (a.name < b.name ? -1 : 1);
}
