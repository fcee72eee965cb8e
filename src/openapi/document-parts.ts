import type { GroupVersionKind } from '../api/meta/group-version.ts';
import { keptBy } from '../api/collections/kept-by.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueGroup, CatalogueVersion } from '../catalogue/catalogue-group.ts';
import { type OpenApiDefinition, ownDefinitions } from './definitions.ts';
import { isUnstructuredKind } from '../schema/unstructured.ts';
import { customPaths } from './custom-paths.ts';
import { documentOf } from './group-words.ts';
import type { PathEntry } from './operation.ts';
import { resourcePaths } from './resource-paths.ts';
import { fixedPaths, groupPath, groupsPath, versionPath } from './server-paths.ts';

/** The input of one version 3 document. The same object is kept as long as that does not change. */
export interface DocumentPart {
  /** `apis/apps/v1` */
  readonly name: string;
  /** For documents of a group version. */
  readonly version: Pick<GroupVersionKind, 'group' | 'version'> | undefined;
  /** Only custom resources: the reference generates these documents elsewhere, with another title. */
  readonly isCustom: boolean;
  readonly paths: () => readonly PathEntry[];
  /** Definitions besides the built-in ones. */
  readonly definitions: () => ReadonlyMap<string, OpenApiDefinition>;
}

/** The documents of a snapshot, by name. */
export function documentParts(catalogue: Catalogue): ReadonlyMap<string, DocumentPart> {
  const { groups } = catalogue;
  const parts = [
    ...groups.filter(({ name }) => catalogue.hasReleaseGroup(name)).map(groupPart),
    ...groups.flatMap(({ versions }) => versions.filter(({ remote }) => remote === undefined).map(versionPart)),
    ...(groups.some(({ name }) => name !== '') ? [groupsPart] : []),
    ...fixedParts,
  ];
  return new Map(parts.map((part) => [part.name, part]));
}

const groupPart = keptBy(({ name }: CatalogueGroup) => partOf(groupPath(name)));

const versionPart = keptBy((of: CatalogueVersion): DocumentPart => {
  const { group, version, resources } = of;
  const isCustom = resources.every(isUnstructuredKind);
  return {
    name: documentOf(group, version),
    version: { group, version },
    isCustom,
    paths: () => [
      // The reference does not list the discovery paths of custom resources.
      ...(isCustom ? [] : [versionPath(group, version)]),
      ...resources.flatMap((resource) =>
        isUnstructuredKind(resource)
          ? customPaths(resource)
          : resourcePaths(resource, of.resource(resource.plural)?.entry.behaviour.responses),
      ),
    ],
    definitions: () => ownDefinitions(resources),
  };
});

const groupsPart = partOf(groupsPath);
const fixedParts = fixedPaths.map(partOf);

/** A document with a single path. */
function partOf(entry: PathEntry): DocumentPart {
  return {
    name: entry.document,
    version: undefined,
    isCustom: false,
    paths: () => [entry],
    definitions: () => new Map(),
  };
}
