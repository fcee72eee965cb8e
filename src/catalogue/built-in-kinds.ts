import type { GroupVersionKind } from '../api/meta/group-version.ts';
import type { KindBehaviour } from '../registry/kinds/kind-behaviour.ts';
import type { KindEntry, KindVersion } from './kind-entry.ts';
import { groupPriorities, versionPriority } from '../schema/kubernetes/group-priorities.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import type { Resource } from '../schema/resource.ts';
import { writtenVersion } from './written-version.ts';

export interface BuiltInKindsOptions {
  /** The resources of the release that the configuration enables. */
  readonly served: readonly Resource[];
  /** The behaviour of the kind with this storage version. */
  readonly behaviourOf: (stored: Pick<GroupVersionKind, 'group' | 'kind'>) => KindBehaviour;
  /** 0: events stay. */
  readonly eventTtlSeconds: number;
  /** The emulated release: the one before it must be able to read what is written. */
  readonly release: string;
  /** Kinds whose lists are paged in any version, named by one of their resources. */
  pagesAnyVersion(resource: Resource): boolean;
}

/** The initial entries of the catalogue: every kind of the release, served or not. */
export function builtInKinds(options: BuiltInKindsOptions): readonly KindEntry[] {
  const { served, behaviourOf, eventTtlSeconds, release } = options;
  const isServed = new Set(served);
  return [...Map.groupBy(builtInResources(), placeOf)].map(([place, resources]) => ({
    versions: resources.map((resource) => versionOf(resource, isServed.has(resource))),
    behaviour: behaviourOf(storedKind(resources)),
    ...(place === 'events/' && eventTtlSeconds > 0 ? { ttlSeconds: eventTtlSeconds } : {}),
    ...present('written', writtenVersion(resources, release)),
    pagesAnyVersion: resources.some((resource) => options.pagesAnyVersion(resource)),
  }));
}

function present<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [key in Key]?: Value } {
  // The only key present.
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in Key]: Value });
}

/** Resources with the same storage are one kind; those without storage are identified by their path. */
function placeOf({ storage, group, plural }: Resource): string {
  return storage === undefined ? `${group}/${plural}` : `${storage.prefix}/`;
}

/** Any of them: kinds without storage have one version. */
function storedKind([first]: readonly Resource[]): Pick<GroupVersionKind, 'group' | 'kind'> {
  if (first === undefined) throw new Error('the kind has no resource');
  return first.storage ?? first;
}

function versionOf(resource: Resource, served: boolean): KindVersion {
  const priority = {
    group: groupPriorities[resource.group] ?? 0,
    version: versionPriority(resource.group, resource.version),
  };
  return { resource, served, priority };
}
