import type { ReferenceClient } from './reference-client.ts';

/** A listable resource in one version, from discovery. */
export interface CatalogEntry {
  /** `apps/v1/deployments`, `v1/pods`. */
  readonly resource: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly { name: string; kind: string; namespaced: boolean; verbs: string[] }[];
}

/** Every listable resource of the server, by `resource`. */
export async function readCatalog(client: ReferenceClient): Promise<ReadonlyMap<string, CatalogEntry>> {
  const { groups } = (await client.must('/apis')) as unknown as { groups: { versions: { groupVersion: string }[] }[] };
  const paths = ['/api/v1', ...groups.flatMap(({ versions }) => versions.map((v) => `/apis/${v.groupVersion}`))];
  const lists = await Promise.all(paths.map((path) => client.must(path)));
  // The form of discovery answers.
  const entries = (lists as unknown as ResourceList[]).flatMap(({ groupVersion, resources }) =>
    resources
      .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list'))
      .map(({ name, ...rest }) => ({
        resource: `${groupVersion}/${name}`,
        apiVersion: groupVersion,
        plural: name,
        ...rest,
      })),
  );
  return new Map(entries.map((entry) => [entry.resource, entry]));
}

export interface ObjectPlace {
  readonly namespace?: string;
  readonly name?: string;
}

/** Path of the collection, or of one object of it. */
export function resourcePath({ apiVersion, plural }: CatalogEntry, { namespace, name }: ObjectPlace = {}): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const inNamespace = namespace === undefined ? root : `${root}/namespaces/${namespace}`;
  return name === undefined ? `${inNamespace}/${plural}` : `${inNamespace}/${plural}/${encodeURIComponent(name)}`;
}
