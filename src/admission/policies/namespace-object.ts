import type { AdmissionAttributes } from '../../api/admission.ts';
import { isJsonObject, type JsonObject } from '../../api/json.ts';
import { keptBy } from '../../api/kept-by.ts';
import { storedNamespace } from '../matching/selectors.ts';
import type { PluginContext } from '../plugin-context.ts';
import { wireValue } from './wire-values.ts';

/** The namespace of a write; null for cluster-scoped objects. */
export interface NamespaceObject {
  readonly whole: JsonObject | null;
  /** What most expressions see. */
  readonly exposed: JsonObject | null;
}

const none: NamespaceObject = { whole: null, exposed: null };
const namespaceKind = { group: '', version: 'v1', kind: 'Namespace' };

/** Throws a StatusError when the namespace is not there. */
export async function namespaceObjectOf(
  { stored, resourceOfKind }: Pick<PluginContext, 'stored' | 'resourceOfKind'>,
  { namespace, objectKind: { group, version, kind } }: AdmissionAttributes,
): Promise<NamespaceObject> {
  const isNamespace = group === '' && version === 'v1' && kind === 'Namespace';
  const resource = resourceOfKind(namespaceKind);
  if (namespace === '' || isNamespace || resource === undefined) return none;
  const whole = wireValue(resource, await storedNamespace(stored, namespace));
  return { whole, exposed: exposedPart(whole) };
}

const exposedMetadata: readonly string[] = [
  ...['name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'labels', 'annotations', 'finalizers'],
];

const exposedPart = keptBy(({ metadata, spec, status }: JsonObject): JsonObject => {
  const known = isJsonObject(metadata) ? metadata : {};
  const kept = exposedMetadata.flatMap((name) => (Object.hasOwn(known, name) ? [[name, known[name] ?? null]] : []));
  return { metadata: Object.fromEntries(kept) as JsonObject, spec: spec ?? {}, status: status ?? {} };
});
