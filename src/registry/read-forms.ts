import { isJsonObject, type JsonObject } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import { withResourceVersion } from '../codec/stored-object.ts';

/**
 * Parsed JSON by the object decoded from it, if that is going to be changed. Stored objects are in wire form already,
 * which saves computing it.
 */
const parsedOf = new WeakMap<Readonly<KubernetesObject>, JsonObject>();

export function rememberParsed(object: KubernetesObject, parsed: JsonObject): void {
  parsedOf.set(object, parsed);
}

/** The JSON that an object read for a change was decoded from; undefined for others. */
export function parsedForm(object: Readonly<KubernetesObject>): Readonly<JsonObject> | undefined {
  return parsedOf.get(object);
}

/** The wire form of an object read for a change and not modified since; undefined for others. */
export function readForm(object: Readonly<KubernetesObject>): JsonObject | undefined {
  const parsed = parsedForm(object);
  const { resourceVersion } = object.metadata;
  if (parsed === undefined || resourceVersion === undefined || !isJsonObject(parsed['metadata'])) return parsed;
  return { ...parsed, metadata: withResourceVersion(parsed['metadata'], resourceVersion) };
}
