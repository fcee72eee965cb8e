import type { AdmissionAttributes } from '../../api/contracts/admission.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import { readDateTime } from '../../cel/values/formatted-texts.ts';
import { StoredTime, Timestamp, type Value } from '../../cel/values/value.ts';
import { storedNamespace } from '../matching/selectors.ts';
import type { WireValues } from './wire-values.ts';

/** The namespace of a write; null for cluster-scoped objects. */
export interface NamespaceObject {
  readonly whole: JsonObject | null;
  /** What most expressions see. */
  readonly exposed: JsonObject | null;
}

const none: NamespaceObject = { whole: null, exposed: null };
const namespaceKind = { group: '', version: 'v1', kind: 'Namespace' };

/** Throws a StatusError when the namespace is not there. */
export function namespaceObjectOf(
  { stored, values }: { readonly stored: StoredObjects; readonly values: WireValues },
  { namespace, objectKind: { group, version, kind } }: AdmissionAttributes,
): Soon<NamespaceObject> {
  const isNamespace = group === '' && version === 'v1' && kind === 'Namespace';
  if (namespace === '' || isNamespace) return none;
  const object = storedNamespace(stored, namespace);
  const known = object instanceof Promise ? undefined : kept.get(object);
  return known ?? read(object, values);
}

/** By the stored namespace. */
const kept = new WeakMap<object, NamespaceObject>();

async function read(stored: Soon<Readonly<KubernetesObject>>, values: WireValues): Promise<NamespaceObject> {
  const object = await stored;
  const whole = withTimes(await values.of(object, namespaceKind)) as JsonObject; // an object stays one
  const made = { whole, exposed: exposedPart(whole) };
  kept.set(object, made);
  return made;
}

const exposedMetadata: readonly string[] = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
];

function exposedPart({ metadata, spec, status }: JsonObject): JsonObject {
  const known = isJsonObject(metadata) ? metadata : {};
  const kept = exposedMetadata.flatMap((name) => (Object.hasOwn(known, name) ? [[name, known[name] ?? null]] : []));
  return { metadata: Object.fromEntries(kept) as JsonObject, spec: spec ?? {}, status: status ?? {} };
}

const times: ReadonlySet<string> = new Set(['creationTimestamp', 'deletionTimestamp', 'lastTransitionTime']);

/** Times are declared as such, so they are parsed. */
function withTimes(value: JsonValue, name = ''): JsonValue {
  if (typeof value === 'string' && times.has(name)) return storedTime(value) as unknown as JsonValue;
  if (Array.isArray(value)) return value.map((item) => withTimes(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTimes(each, key)]));
}

function storedTime(text: string): Value {
  const time = readDateTime(text);
  return time instanceof Timestamp ? new StoredTime(time, text) : time;
}
