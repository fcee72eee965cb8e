import { compareVersions } from '../api/values/version-order.ts';
import type { Resource } from '../schema/resource.ts';
import { definitionPriority, type KindEntry, type KindVersion, type VersionPriority } from './kind-entry.ts';
import type { RemoteVersion } from './remote-version.ts';

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
  /** Present if another server serves the version: then no member is served. */
  readonly remote: RemoteVersion | undefined;
  readonly #byName: ReadonlyMap<string, CatalogueResource>;
  #resources: readonly Resource[] | undefined;
  #kinds: ReadonlyMap<string, CatalogueResource> | undefined;

  /** If several resources have the same name, the first wins. */
  constructor({ group, version, members, remote }: VersionParts) {
    this.group = group;
    this.version = version;
    this.priority = remote?.priority ?? members[0]?.priority ?? definitionPriority;
    this.members = members;
    this.remote = remote;
    // In a map the later rows win.
    this.#byName = new Map(members.toReversed().map((member) => [member.resource.plural, member]));
  }

  /** Served resources, sorted by name. */
  get resources(): readonly Resource[] {
    this.#resources ??= (this.remote === undefined ? [...this.#byName.values()] : [])
      .filter(({ served }) => served)
      .map(({ resource }) => resource)
      .toSorted((a, b) => (a.plural < b.plural ? -1 : 1));
    return this.#resources;
  }

  /** Whether anybody serves it. */
  get isServed(): boolean {
    // Sorting them for each change of a version would be quadratic.
    for (const { served } of this.#byName.values()) if (served) return true;
    return this.remote !== undefined;
  }

  /** The priority of this server's own part; undefined if it has none. */
  get localPriority(): VersionPriority | undefined {
    return this.members.find(({ served }) => served)?.priority;
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

interface VersionParts {
  readonly group: string;
  readonly version: string;
  readonly members: readonly CatalogueResource[];
  readonly remote: RemoteVersion | undefined;
}

/** One group; the same object is part of all snapshots between two changes of it. */
export class CatalogueGroup {
  readonly name: string;
  /** Versions that are served, here or elsewhere, the preferred one first. */
  readonly versions: readonly CatalogueVersion[];
  readonly priority: number;
  readonly #known: ReadonlyMap<string, CatalogueVersion>;

  constructor(name: string, known: ReadonlyMap<string, CatalogueVersion>) {
    this.name = name;
    this.#known = known;
    this.versions = [...known.values()].filter(({ isServed }) => isServed).toSorted(byPreference);
    this.priority = Math.max(...this.versions.map(({ priority }) => priority.group));
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

/** A change to a group: resources of removed and of added entries, and versions of other servers. */
export interface GroupChange {
  readonly remove: ReadonlySet<KindEntry>;
  readonly add: readonly CatalogueResource[];
  readonly removeRemote: ReadonlySet<RemoteVersion>;
  readonly addRemote: readonly RemoteVersion[];
}

/** The group after a change; undefined when it becomes empty. Unchanged versions are shared with the previous group. */
export function changedGroup(
  before: CatalogueGroup | undefined,
  name: string,
  change: GroupChange,
): CatalogueGroup | undefined {
  const known = new Map<string, CatalogueVersion>();
  const added = Map.groupBy(change.add, ({ resource }) => resource.version);
  const remotes = new Map(change.addRemote.map((remote) => [remote.version, remote]));
  const names = new Set([...versionNames(before), ...added.keys(), ...remotes.keys()]);
  for (const version of names) {
    const old = before?.version(version);
    const staying = (old?.members ?? []).filter(({ entry }) => !change.remove.has(entry));
    const members = [...staying, ...(added.get(version) ?? [])];
    const left = old?.remote === undefined || change.removeRemote.has(old.remote) ? undefined : old.remote;
    const remote = remotes.get(version) ?? left;
    if (old !== undefined && isSame(old, members, remote)) known.set(version, old);
    else if (members.length > 0 || remote !== undefined)
      known.set(version, new CatalogueVersion({ group: name, version, members, remote }));
  }
  return known.size === 0 ? undefined : new CatalogueGroup(name, known);
}

function* versionNames(group: CatalogueGroup | undefined): Generator<string> {
  for (const { version } of group?.known() ?? []) yield version;
}

/** Members that stay keep their order, so nothing changed if as many are left and none came. */
function isSame(
  old: CatalogueVersion,
  members: readonly CatalogueResource[],
  remote: RemoteVersion | undefined,
): boolean {
  return (
    old.remote === remote &&
    old.members.length === members.length &&
    old.members.every((member, index) => member === members[index])
  );
}

function byPreference(a: CatalogueVersion, b: CatalogueVersion): number {
  return b.priority.version - a.priority.version || compareVersions(a.version, b.version);
}
