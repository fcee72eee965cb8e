import { compareVersions } from '../api/version-order.ts';
import type { Resource } from '../schema/resource.ts';
import type { KindEntry, KindVersion, VersionPriority } from './kind-entry.ts';

/** One resource in one version, with the entry that it is of. */
export interface CatalogueResource extends KindVersion {
  readonly entry: KindEntry;
}

/**
 * One version of a group. The same object stands in all snapshots between two changes of the version, so that what is made of it is kept
 * by it (in a WeakMap).
 */
export class CatalogueVersion {
  readonly group: string;
  readonly version: string;
  readonly priority: VersionPriority;
  readonly members: readonly CatalogueResource[];
  readonly #byName: ReadonlyMap<string, CatalogueResource>;
  #resources: readonly Resource[] | undefined;
  #kinds: ReadonlyMap<string, CatalogueResource> | undefined;

  /** Of resources with one name the first counts. There is one resource at least. */
  constructor(members: readonly CatalogueResource[]) {
    const [first] = members;
    if (first === undefined) throw new Error('a version without a resource');
    ({ group: this.group, version: this.version } = first.resource);
    this.priority = first.priority;
    this.members = members;
    // Later rows replace earlier ones in a map.
    this.#byName = new Map(members.toReversed().map((member) => [member.resource.plural, member]));
  }

  /** What is served of it, in the order of the names. */
  get resources(): readonly Resource[] {
    this.#resources ??= [...this.#byName.values()]
      .filter(({ served }) => served)
      .map(({ resource }) => resource)
      .toSorted((a, b) => (a.plural < b.plural ? -1 : 1));
    return this.#resources;
  }

  /** The resource of a name, served or not. */
  resource(plural: string): CatalogueResource | undefined {
    return this.#byName.get(plural);
  }

  /** The resource of a kind, served or not. */
  ofKind(kind: string): CatalogueResource | undefined {
    this.#kinds ??= new Map([...this.#byName.values()].map((member) => [member.resource.kind, member]));
    return this.#kinds.get(kind);
  }
}

/** One group; the same object stands in all snapshots between two changes of it. */
export class CatalogueGroup {
  readonly name: string;
  /** Those of which something is served, the preferred one first. */
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

/** What becomes of a group: resources of entries that go and resources that come. */
export interface GroupChange {
  readonly remove: ReadonlySet<KindEntry>;
  readonly add: readonly CatalogueResource[];
}

/** The group after a change; undefined when nothing is left of it. Versions that do not change are shared with the group before. */
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
