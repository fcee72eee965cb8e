import { formatGroupResource, type GroupResource, type GroupVersionKind } from '../api/meta/group-version.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueResource } from '../catalogue/catalogue-group.ts';
import type { KindEntry } from '../catalogue/kind-entry.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import type { ResourceScope } from '../operations/resource-scope.ts';
import type { StoreLocation } from '../registry/stored/store-kind.ts';
import { type NamedCache, OpenKind, type OpenKindOptions } from './open-kind.ts';

/** Opens the catalogue's entries on first use, and retires those removed from it. */
export class ResourceScopes implements Disposable {
  readonly #catalogue: LiveCatalogue;
  readonly #options: Omit<OpenKindOptions, 'running'>;
  /** By `runsAs` of the entry. */
  readonly #kinds = new WeakMap<object, OpenKind>();
  readonly #running = new Set<OpenKind>();
  readonly #following: Disposable;
  readonly #open: OpensKinds = (entry) => this.#kindOf(entry);
  #now: ScopesAt;

  constructor(catalogue: LiveCatalogue, options: Omit<OpenKindOptions, 'running'>) {
    this.#catalogue = catalogue;
    this.#options = options;
    this.#now = new ScopesAt(catalogue.current, this.#open);
    this.#following = catalogue.subscribe(({ remove = [], add = [] }) => {
      const goingOn = new Set(add.map(runsAs));
      for (const entry of remove) if (!goingOn.has(runsAs(entry))) this.#kindOf(entry).retire();
      const stays = new Set(add.flatMap(resourcesOf).map(formatGroupResource));
      const gone = remove.flatMap(resourcesOf).filter((resource) => !stays.has(formatGroupResource(resource)));
      for (const resource of gone) options.metrics.forget(resource);
    });
  }

  /** The current resources: a snapshot that stays valid whatever happens to the catalogue. */
  get now(): KindRegistry {
    const { current } = this.#catalogue;
    if (this.#now.catalogue !== current) this.#now = new ScopesAt(current, this.#open);
    return this.#now;
  }

  /** The watch caches in use. */
  caches(): readonly NamedCache[] {
    return [...this.#running].flatMap(({ cache }) => cache ?? []);
  }

  /** Ends everything in progress in the stores. */
  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]();
    for (const kind of this.#running) kind.close();
  }

  #kindOf(entry: KindEntry): OpenKind {
    let kind = this.#kinds.get(runsAs(entry));
    if (kind === undefined) {
      kind = new OpenKind(entry, { ...this.#options, running: this.#running });
      this.#kinds.set(runsAs(entry), kind);
    }
    return kind;
  }
}

function resourcesOf({ versions }: KindEntry): readonly GroupResource[] {
  return versions.map(({ resource: { group, plural } }) => ({ group, resource: plural }));
}

function runsAs(entry: KindEntry): object {
  return entry.runsAs ?? entry;
}

type OpensKinds = (entry: KindEntry) => OpenKind;

/** The resources of one snapshot. */
class ScopesAt implements KindRegistry {
  readonly catalogue: Catalogue;
  readonly #open: OpensKinds;
  readonly #byPath = new Map<string, ResourceScope>();

  constructor(catalogue: Catalogue, open: OpensKinds) {
    this.catalogue = catalogue;
    this.#open = open;
  }

  scopeOf(group: string, version: string, plural: string): ResourceScope | undefined {
    const path = `${group}/${version}/${plural}`;
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const resource = this.catalogue.served(group, version, plural);
    if (resource === undefined) return undefined;
    const scope = this.#scopeOf(resource);
    this.#byPath.set(path, scope);
    return scope;
  }

  knownScopeOf(group: string, version: string, plural: string): ResourceScope | undefined {
    const resource = this.catalogue.known(group, version, plural);
    return resource === undefined ? undefined : this.#scopeOf(resource);
  }

  placeOf(group: string, version: string, plural: string): StoreLocation | undefined {
    const resource = this.catalogue.known(group, version, plural);
    return resource === undefined ? undefined : this.#open(resource.entry).placeOf(resource);
  }

  scopeOfKind(kind: GroupVersionKind): ResourceScope | undefined {
    const resource = this.catalogue.resourceOf(kind);
    return resource === undefined ? undefined : this.#scopeOf(resource);
  }

  #scopeOf(resource: CatalogueResource): ResourceScope {
    return this.#open(resource.entry).scopeOf(resource);
  }
}
