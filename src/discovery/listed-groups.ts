import { keptBy } from '../api/collections/kept-by.ts';
import { compareVersions } from '../api/values/version-order.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueGroup } from '../catalogue/catalogue-group.ts';
import type { VersionPriority } from '../catalogue/kind-entry.ts';
import type { Registrations } from '../catalogue/registrations.ts';

/** A group as `/apis` lists it: by the APIServices, even if nothing serves it. */
export interface ListedGroup {
  readonly name: string;
  /** The preferred one first; never empty. */
  readonly versions: readonly ListedVersion[];
}

interface ListedVersion {
  readonly version: string;
  readonly priority: VersionPriority;
}

/** The groups of `/apis` in order; those of the same priority in the order of their APIServices. */
export function listedGroups(catalogue: Catalogue): readonly ListedGroup[] {
  const served = catalogue.groups.filter(({ name }) => name !== '');
  const changed = byGroup(catalogue.registrations);
  const groups = [
    ...served.filter(({ name }) => !changed.has(name)),
    ...[...changed.keys()].flatMap((name) => listed(catalogue, name) ?? []),
  ];
  return groups
    .map((group) => ({ group, ...leadingService(group) }))
    .toSorted((a, b) => b.priority - a.priority || (a.service < b.service ? -1 : 1))
    .map(({ group }) => group);
}

/** A group as `/apis/GROUP` describes it: without any APIService, as it is served. */
export function listedGroup(catalogue: Catalogue, name: string): ListedGroup | undefined {
  return listed(catalogue, name) ?? catalogue.group(name);
}

const byGroup = keptBy((registrations: Registrations) => Map.groupBy(registrations.values(), ({ group }) => group));

function listed(catalogue: Catalogue, name: string): ListedGroup | undefined {
  const group: CatalogueGroup | undefined = catalogue.group(name);
  const changed = byGroup(catalogue.registrations).get(name);
  if (changed === undefined) return group;
  const names = new Set(changed.map(({ version }) => version));
  const versions: readonly ListedVersion[] = [
    ...(group?.versions ?? []).filter(({ version }) => !names.has(version)),
    ...changed.flatMap(({ version, priority }) => (priority === undefined ? [] : { version, priority })),
  ];
  if (versions.length === 0) return undefined;
  return { name, versions: versions.toSorted(byPreference) };
}

/** The APIService to which a group owes its priority: of those with the highest, the first by name. */
function leadingService({ name, versions }: ListedGroup): { readonly priority: number; readonly service: string } {
  const priority = Math.max(...versions.map((each) => each.priority.group));
  const leading = versions.filter((each) => each.priority.group === priority);
  const [service = ''] = leading.map(({ version }) => `${version}.${name}`).toSorted();
  return { priority, service };
}

function byPreference(a: ListedVersion, b: ListedVersion): number {
  return b.priority.version - a.priority.version || compareVersions(a.version, b.version);
}
