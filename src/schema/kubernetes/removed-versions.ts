import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { Resource, Subresource } from '../resource.ts';

/**
 * Versions that the imported release has removed, and emulated ones serve. Their types are those of the version that
 * took their place.
 */
const removedVersions = [
  {
    group: 'networking.k8s.io',
    version: 'v1beta1',
    replacedBy: 'v1',
    plurals: ['ipaddresses', 'servicecidrs'],
    lists: ['IPAddressList', 'ServiceCIDRList'],
    introduced: '1.31',
    deprecated: '1.34',
    removed: '1.37',
    namesReplacement: false,
  },
  {
    group: 'storage.k8s.io',
    version: 'v1beta1',
    replacedBy: 'v1',
    plurals: ['volumeattributesclasses'],
    lists: ['VolumeAttributesClassList'],
    introduced: '1.31',
    deprecated: '1.34',
    removed: '1.37',
    namesReplacement: true,
  },
] as const;

/** The kind whose schema a list of a removed version has; undefined: it is none. */
export function replacingList({ group, version, kind }: GroupVersionKind): GroupVersionKind | undefined {
  const found = removedVersions.find((each) => {
    return each.group === group && each.version === version && isOneOf(each.lists, kind);
  });
  return found && { group, version: found.replacedBy, kind };
}

/** The resources in discovery order, each group with those of its removed versions at its end. */
export function withRemovedVersions(resources: readonly Resource[]): readonly Resource[] {
  return resources.flatMap((resource, index) => {
    const isLast = resources[index + 1]?.group !== resource.group;
    return isLast ? [resource, ...removedOf(resource.group, resources)] : [resource];
  });
}

function removedOf(group: string, resources: readonly Resource[]): readonly Resource[] {
  const ofGroup = removedVersions.filter((each) => each.group === group);
  return ofGroup.flatMap(({ plurals, replacedBy, ...row }) =>
    resources
      .filter((each) => each.group === group && each.version === replacedBy && isOneOf(plurals, each.plural))
      .map((resource) => removedVersion(resource, row)),
  );
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

interface Marks {
  readonly version: string;
  readonly introduced: string;
  readonly deprecated: string;
  readonly removed: string;
  /** Whether warnings name the version to use. */
  readonly namesReplacement: boolean;
}

function removedVersion(resource: Resource, row: Marks): Resource {
  const { namesReplacement, introduced, deprecated, removed } = row;
  const { group, version, kind, plural, singular, listKind, shortNames, categories, namespaced, verbs } = resource;
  return {
    group,
    kind,
    plural,
    singular,
    listKind,
    shortNames,
    categories,
    namespaced,
    verbs,
    version: row.version,
    introduced,
    deprecated,
    removed,
    subresources: resource.subresources.map((subresource) => ofVersion(resource, subresource, row.version)),
    unstructured: false,
    get schema() {
      return resource.schema;
    },
    ...(namesReplacement
      ? {
          replacement: {
            group,
            version,
            kind,
          },
        }
      : {}),
    ...(resource.storage === undefined ? {} : { storage: resource.storage }),
  };
}

/** A subresource that is the object itself, such as its status. */
function ofVersion(resource: Resource, { name, kind, group, verbs }: Subresource, version: string): Subresource {
  return {
    name,
    kind,
    group,
    verbs,
    version,
    get schema() {
      return resource.schema;
    },
  };
}
