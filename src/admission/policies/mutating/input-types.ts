import { parseApiVersion } from '../../../api/meta/group-version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts';
import { fromJson, type Value } from '../../../cel/values/value.ts';
import { schemaOfKind } from '../../../schema/kubernetes/definitions.ts';
import type { Schema } from '../../../schema/schema.ts';
import { isUnstructured } from '../../../schema/unstructured.ts';

/** What expressions see. */
export interface Inputs {
  readonly object: JsonValue;
  readonly oldObject: JsonValue;
  readonly namespaceObject: JsonValue;
  readonly params: JsonValue | undefined;
  readonly request: Value;
  /**
   * Objects of built-in kinds are structs in the reference once it has evaluated a match condition for them, and
   * free-form data before.
   */
  readonly areStructs: boolean;
}

/**
 * The Go types of objects and lists within inputs, by identity: `v1.Container`, `[]string`, `map[string]string`; `json`
 * for free-form data. Undefined for what is not part of the inputs.
 */
export type InputTypes = (collection: object) => string | undefined;

const requestStructs: { readonly [name: string]: string } = {
  kind: 'v1.GroupVersionKind',
  requestKind: 'v1.GroupVersionKind',
  resource: 'v1.GroupVersionResource',
  requestResource: 'v1.GroupVersionResource',
  userInfo: 'v1.UserInfo',
};

/** Names them once it is asked: few mutations have objects or lists of their inputs as values. */
export function inputTypes(inputs: () => Inputs, schema: Schema | undefined): InputTypes {
  let names: ReadonlyMap<object, string> | undefined;
  return (collection) => (names ??= namesIn(inputs(), schema)).get(collection);
}

function namesIn(inputs: Inputs, schema: Schema | undefined): ReadonlyMap<object, string> {
  const { object, oldObject, namespaceObject, params, request, areStructs } = inputs;
  const names = new Map<object, string>();
  const typed = schema === undefined || isUnstructured(schema) || !areStructs ? undefined : schema;
  for (const each of [object, oldObject]) name(each, typed, names);
  name(namespaceObject, schemaOfKind({ group: '', version: 'v1', kind: 'Namespace' }), names);
  if (isJsonObject(params)) name(params, builtInSchema(params), names);
  if (isJsonObject(request)) nameRequest(request, names);
  return names;
}

function builtInSchema({ apiVersion, kind }: JsonObject): Schema | undefined {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const groupVersion = parseApiVersion(apiVersion);
  return groupVersion === undefined ? undefined : schemaOfKind({ ...groupVersion, kind });
}

function nameRequest(request: { readonly [field: string]: unknown }, names: Map<object, string>): void {
  names.set(request, 'v1.AdmissionRequest');
  for (const [field, member] of Object.entries(request)) {
    const value = fromJson(member);
    if (!isJsonObject(value)) continue;
    name(value, undefined, names);
    const type = requestStructs[field];
    if (type !== undefined) names.set(value, type);
    if (Array.isArray(value['groups'])) names.set(value['groups'], '[]string');
    if (!isJsonObject(value['extra'])) continue;
    names.set(value['extra'], 'map[string]v1.ExtraValue');
    for (const values of Object.values(value['extra'])) if (Array.isArray(values)) names.set(values, 'v1.ExtraValue');
  }
}

function name(root: JsonValue, schema: Schema | undefined, names: Map<object, string>): void {
  const todo: (readonly [value: JsonValue | undefined, schema: Schema | undefined])[] = [[root, schema]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [value, given] = next;
    const type = given?.type === 'any' ? undefined : given;
    if (Array.isArray(value)) {
      names.set(value, type?.goType ?? 'json');
      for (const item of value) todo.push([item, type?.items]);
    } else if (isJsonObject(value)) {
      names.set(value, type?.goType ?? 'json');
      for (const [key, member] of Object.entries(value))
        todo.push([member, type?.structure?.fields.get(key)?.schema ?? type?.items]);
    }
  }
}
