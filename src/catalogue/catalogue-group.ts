import { compareVersions } from '../api/version-order.ts';
import type { Resource } from '../schema/resource.ts';
import type { KindEntry, KindVersion, VersionPriority } from './kind-entry.ts';

/** One resource in one version, with its entry. */
export interface CatalogueResource extends KindVersion {
  readonly entry: KindEntry;
}

/**
 * One version of a group. The same object is part of all snapshots between two changes of the version, so derived
 * documents are cached by it in WeakMaps.
 */
export class CatalogueVersion {
  readonly group: string;
  readonly version: string;
  readonly priority: VersionPriority;
  readonly members: readonly CatalogueResource[];
  readonly #byName: ReadonlyMap<string, CatalogueResource>;
  #resources: readonly Resource[] | undefined;
  #kinds: ReadonlyMap<string, CatalogueResource> | undefined;

  /** Of resources with the same name the first wins. There is at least one. */
  constructor(members: readonly CatalogueResource[]) {
    const [first] = members;
    if (first === undefined) throw new Error('a version without a resource');
    ({ group: this.group, version: this.version } = first.resource);
    this.priority = first.priority;
    this.members = members;
    // In a map the later rows win.
    this.#byName = new Map(members.toReversed().map((member) => [member.resource.plural, member]));
  }

  /** Served resources, sorted by name. */
  get resources(): readonly Resource[] {
    this.#resources ??= [...this.#byName.values()]
      .filter(({ served }) => served)
      .map(({ resource }) => resource)
      .toSorted((a, b) => (a.plural < b.plural ? -1 : 1));
    return this.#resources;
  }

  /** A resource by name, served or not. */
  resource(plural: string): CatalogueResource | undefined {
    return this.#byName.get(plural);
  }

  /** A resource by kind, served or not. */
  ofKind(kind: string): CatalogueResource | undefined {
    this.#kinds ??= new Map([...this.#byName.values()].map((member) => [member.resource.kind, member]));
    return this.#kinds.get(kind);
  }
}

/** One group; the same object is part of all snapshots between two changes of it. */
export class CatalogueGroup {
  readonly name: string;
  /** Versions with served resources, the preferred one first. */
  readonly versions: readonly CatalogueVersion[];
  readonly #known: ReadonlyMap<string, CatalogueVersion>;

  constructor(name: string, known: ReadonlyMap<string, CatalogueVersion>) {
    this.name = name;
    this.#known = known;
    this.versions = [...known.values()].filter(({ resources }) => resources.length > 0).toSorted(byPreference);
  }

  get priority(): number {
    return Math.max(...this.versions.map(({ priority }) => priority.group));
  }

  /** All versions, served or not. */
  known(): Iterable<CatalogueVersion> {
    return this.#known.values();
  }

  /** A version, served or not. */
  version(name: string): CatalogueVersion | undefined {
    return this.#known.get(name);
  }
}

/** A change to a group: resources of removed and of added entries. */
export interface GroupChange {
  readonly remove: ReadonlySet<KindEntry>;
  readonly add: readonly CatalogueResource[];
}

/** The group after a change; undefined when it becomes empty. Unchanged versions are shared with the previous group. */
export function changedGroup(
  before: CatalogueGroup | undefined,
  name: string,
  { remove, add }: GroupChange,
): CatalogueGroup | undefined {
  const known = new Map<string, CatalogueVersion>();
  const added = Map.groupBy(add, ({ resource }) => resource.version);
  for (const version of before?.known() ?? []) {
    const coming = added.get(version.version) ?? [];
    const staying = version.members.filter(({ entry }) => !remove.has(entry));
    added.delete(version.version);
    if (coming.length === 0 && staying.length === version.members.length) known.set(version.version, version);
    else if (coming.length + staying.length > 0)
      known.set(version.version, new CatalogueVersion([...staying, ...coming]));
  }
  for (const [version, members] of added) known.set(version, new CatalogueVersion(members));
  return known.size === 0 ? undefined : new CatalogueGroup(name, known);
}

function byPreference(a: CatalogueVersion, b: CatalogueVersion): number {
  return b.priority.version - a.priority.version || compareVersions(a.version, b.version);
}
