import { formatApiVersion, type GroupVersionKind } from '../api/meta/group-version.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { Converter } from '../registry/kinds/conversion.ts';

/**
 * Converts objects of any other version to this `apiVersion`; may modify and return its argument. Versions without an
 * entry have the same fields as all others.
 */
export type KindConversions = { readonly [apiVersion: string]: (object: JsonObject) => JsonObject };

/** Objects of older versions are first converted to a current one. */
export function converterOf(conversions: KindConversions, olderVersions: KindConversions = {}): Converter {
  return {
    waits: false,
    renames: Object.keys(conversions).length === 0,
    convert: (objects, target) => objects.map((object) => converted(newer(object, olderVersions), target, conversions)),
  };
}

function newer(object: KubernetesObject, olderVersions: KindConversions): KubernetesObject {
  const change = olderVersions[object.apiVersion ?? ''];
  // Objects are JSON-shaped.
  return change === undefined ? object : (change(object) as KubernetesObject);
}

function converted(
  object: KubernetesObject,
  { group, version, kind }: GroupVersionKind,
  conversions: KindConversions,
): KubernetesObject {
  const apiVersion = formatApiVersion(group, version);
  if (object.apiVersion === apiVersion) return object;
  // Objects are JSON-shaped.
  const fields = object;
  return { ...((conversions[apiVersion]?.(fields) ?? fields) as KubernetesObject), apiVersion, kind };
}
