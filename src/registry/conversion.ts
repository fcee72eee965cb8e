import { formatApiVersion, type GroupVersionKind } from '../api/group-version.ts';
import type { JsonObject, JsonValue } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { KindDefinition } from './kind-definition.ts';

/** Makes an object of one version of a kind one of another. May change and answer the object it was given. */
export type Converter = (object: KubernetesObject, target: GroupVersionKind) => KubernetesObject;

/** Converts between the versions of a kind. */
export function converterOf({ conversions }: Pick<KindDefinition, 'conversions'>): Converter {
  return (object, { group, version, kind }) => {
    const apiVersion = formatApiVersion(group, version);
    if (object.apiVersion === apiVersion) return object;
    const convert = conversions[apiVersion];
    // Objects are JSON-shaped.
    const converted = convert === undefined ? object : (convert(object as unknown as JsonObject) as JsonValue);
    return { ...(converted as unknown as KubernetesObject), apiVersion, kind };
  };
}
