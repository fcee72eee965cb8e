import { parseApiVersion } from '../api/meta/group-version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { Resource } from '../schema/resource.ts';
import { type Administrator, fieldManager, refusal } from './administrator.ts';
import { type Manifest, ManifestError } from './manifests.ts';

export function isDefinition({ apiVersion, kind }: Manifest): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/');
}

/** Patches of kustomize look like definitions, but define nothing. */
export function isWholeDefinition(manifest: Manifest): boolean {
  const { spec } = manifest.object;
  return isDefinition(manifest) && isJsonObject(spec) && spec['group'] !== undefined;
}

/**
 * Applies objects, as the administrator: definitions first, until their kinds are served, then namespaces, then the
 * others in their order. Throws a ManifestError for the first that is refused.
 */
export async function applyManifests(
  manifests: readonly Manifest[],
  administrator: Administrator,
  catalogue: LiveCatalogue,
): Promise<void> {
  const apply = async (manifest: Manifest): Promise<string> => applied(manifest, administrator, catalogue);
  const definitions = manifests.filter(isDefinition);
  await Promise.all(definitions.map(async (each) => established(await apply(each), each, administrator)));
  const isNamespace = ({ apiVersion, kind }: Manifest): boolean => apiVersion === 'v1' && kind === 'Namespace';
  await Promise.all(manifests.filter(isNamespace).map(apply));
  for (const each of manifests) if (!isDefinition(each) && !isNamespace(each)) await apply(each);
}

/** Returns its name. */
async function applied(
  { object, apiVersion, kind, origin }: Manifest,
  administrator: Administrator,
  catalogue: LiveCatalogue,
): Promise<string> {
  const resource = resourceOf(apiVersion, kind, catalogue);
  const name = textAt(object, 'name');
  const what = `${origin}: ${kind} ${name ?? textAt(object, 'generateName') ?? 'without a name'}`;
  if (resource === undefined) throw new ManifestError(`${what}: no such kind in ${apiVersion} is served`);
  const path = collectionPath(resource, textAt(object, 'namespace') ?? 'default');
  // Without a name there is nothing to apply to.
  const response =
    name === undefined
      ? await administrator.send('POST', `${path}?fieldManager=${fieldManager}`, object)
      : await administrator.apply(`${path}/${encodeURIComponent(name)}`, object);
  if (response.code >= 300) throw new ManifestError(`${what}: ${refusal(response)}`);
  return textAt(response.body, 'name') ?? '';
}

function resourceOf(apiVersion: string, kind: string, catalogue: LiveCatalogue): Resource | undefined {
  const version = parseApiVersion(apiVersion);
  const found = version && catalogue.current.resourceOf({ ...version, kind });
  return found?.served === true ? found.resource : undefined;
}

function collectionPath({ group, version, plural, namespaced }: Resource, namespace: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}/${namespaced ? `namespaces/${encodeURIComponent(namespace)}/` : ''}${plural}`;
}

/** Waits until the kind of a definition is served. */
async function established(name: string, { origin }: Manifest, administrator: Administrator): Promise<void> {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const selected = `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  for await (const { status } of administrator.watch(`${definitions}?watch=true&${selected}`)) {
    const conditions = isJsonObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : [];
    if (messageOf(conditions, 'Established', 'True') !== undefined) return;
    const refused = messageOf(conditions, 'NamesAccepted', 'False');
    if (refused !== undefined) throw new ManifestError(`${origin}: definition ${name}: ${refused}`);
  }
}

/** The message of a condition; undefined if there is none with this status. */
function messageOf(conditions: readonly JsonValue[], type: string, status: string): string | undefined {
  const found = conditions.filter(isJsonObject).find((each) => each['type'] === type && each['status'] === status);
  return found === undefined ? undefined : text(found['message']);
}

function textAt({ metadata }: JsonObject, field: string): string | undefined {
  const value = isJsonObject(metadata) ? metadata[field] : undefined;
  return value === undefined ? undefined : text(value);
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
