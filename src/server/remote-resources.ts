import type { ClientResource, RemoteResources } from '../api/client.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import { isJsonObject, type JsonValue } from '../api/json.ts';
import { keptBy } from '../api/kept-by.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueVersion } from '../catalogue/catalogue-group.ts';

const toldResources = keptBy(({ group, version, remote }: CatalogueVersion): readonly ClientResource[] =>
  (remote?.told?.resources ?? []).map((told) => {
    const { resource = '', responseKind, scope, verbs } = told;
    return {
      ...{ group, version, resource: textOf(resource), namespaced: scope === 'Namespaced' },
      kind: isJsonObject(responseKind) ? textOf(responseKind['kind']) : '',
      verbs: Array.isArray(verbs) ? verbs.map(textOf) : [],
    };
  }),
);

/** Resources of other servers in a snapshot, each in the first version that has it. */
export const remoteResources = keptBy(({ groups }: Catalogue): RemoteResources => {
  const versions = groups.flatMap((group) => group.versions);
  const known = new Map<string, ClientResource>();
  for (const version of versions) {
    for (const each of toldResources(version)) {
      const place = `${each.group}/${each.resource}`;
      if (!known.has(place)) known.set(place, each);
    }
  }
  const unknown = versions.filter(({ remote }) => remote !== undefined && remote.told?.isFresh !== true);
  return { resources: [...known.values()], unknown: unknown.map(({ group, version }) => `${group}/${version}`) };
});

/** The resource of a kind in a version of another server; undefined if it is not known to have it. */
export function remoteResourceOf(
  catalogue: Catalogue,
  { group, version, kind }: GroupVersionKind,
): ClientResource | undefined {
  const place = catalogue.group(group)?.version(version);
  return place === undefined ? undefined : toldResources(place).find((each) => each.kind === kind);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
