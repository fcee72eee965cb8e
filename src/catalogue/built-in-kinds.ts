import type { GroupVersionKind } from '../api/group-version.ts';
import type { KindBehaviour, KindEntry, KindVersion } from './kind-entry.ts';
import { groupPriorities, versionPriority } from '../schema/kubernetes/group-priorities.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import type { Resource } from '../schema/resource.ts';
import { writtenVersion } from './written-version.ts';

export interface BuiltInKindsOptions {
  /** Those of the release's resources that the configuration serves. */
  readonly served: readonly Resource[];
  /** What the kind does whose objects are stored as this one. */
  readonly behaviourOf: (stored: Pick<GroupVersionKind, 'group' | 'kind'>) => KindBehaviour;
  readonly eventTtlSeconds: number;
  /** The release to behave as: the one before it must be able to read what is written. */
  readonly release: string;
  /** Kinds whose lists of any version come in pages, by a resource of theirs. */
  pagesAnyVersion(resource: Resource): boolean;
}

/** The first entries of the catalogue: every kind of the release, served or not. */
export function builtInKinds(options: BuiltInKindsOptions): readonly KindEntry[] {
  const { served, behaviourOf, eventTtlSeconds, release } = options;
  const isServed = new Set(served);
  return [...Map.groupBy(builtInResources(), placeOf)].map(([place, resources]) => ({
    versions: resources.map((resource) => versionOf(resource, isServed.has(resource))),
    behaviour: behaviourOf(storedKind(resources)),
    ...(place === 'events/' ? { ttlSeconds: eventTtlSeconds } : {}),
    ...present('written', writtenVersion(resources, release)),
    pagesAnyVersion: resources.some((resource) => options.pagesAnyVersion(resource)),
  }));
}

function present<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [key in Key]?: Value } {
  // The one key that is given.
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in Key]: Value });
}

/** What is stored in one place is one kind; what is stored nowhere has its path alone. */
function placeOf({ storage, group, plural }: Resource): string {
  return storage === undefined ? `${group}/${plural}` : `${storage.prefix}/`;
}

/** That of any of them: kinds that are stored nowhere have one version. */
function storedKind([first]: readonly Resource[]): Pick<GroupVersionKind, 'group' | 'kind'> {
  if (first === undefined) throw new Error('a kind without a resource');
  return first.storage ?? first;
}

function versionOf(resource: Resource, served: boolean): KindVersion {
  const priority = { group: groupPriorities[resource.group] ?? 0, version: versionPriority };
  return { resource, served, priority };
}
