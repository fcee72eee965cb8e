import { isJsonObject, type JsonValue } from '../../../api/json.ts';
import type { Value } from '../../../cel/values/value.ts';
import { schemaOfKind } from '../../../schema/kubernetes/definitions.ts';
import type { Schema } from '../../../schema/schema.ts';
import { isUnstructured } from '../../../schema/unstructured.ts';

/** The Go type of an object that is a struct in the reference; undefined for maps. */
export type StructNames = (object: object) => string | undefined;

/** What expressions see. */
export interface Inputs {
  readonly object: JsonValue;
  readonly oldObject: JsonValue;
  readonly namespaceObject: JsonValue;
  readonly request: Value;
}

const requestStructs: { readonly [name: string]: string } = {
  kind: 'v1.GroupVersionKind',
  requestKind: 'v1.GroupVersionKind',
  resource: 'v1.GroupVersionResource',
  requestResource: 'v1.GroupVersionResource',
  userInfo: 'v1.UserInfo',
};

/** Names the objects within the inputs by identity, once it is asked: only patches with objects as values do. */
export function structNamesIn(inputs: () => Inputs, schema: Schema | undefined): StructNames {
  let names: ReadonlyMap<object, string> | undefined;
  return (object) => (names ??= namesIn(inputs(), schema)).get(object);
}

function namesIn(
  { object, oldObject, namespaceObject, request }: Inputs,
  schema: Schema | undefined,
): ReadonlyMap<object, string> {
  const names = new Map<object, string>();
  if (schema !== undefined && !isUnstructured(schema))
    for (const each of [object, oldObject]) name(each, schema, names);
  name(namespaceObject, schemaOfKind({ group: '', version: 'v1', kind: 'Namespace' }), names);
  if (!isJsonObject(request)) return names;
  names.set(request, 'v1.AdmissionRequest');
  for (const [field, type] of Object.entries(requestStructs)) {
    const member: unknown = request[field];
    if (isJsonObject(member)) names.set(member, type);
  }
  return names;
}

function name(root: JsonValue, schema: Schema | undefined, names: Map<object, string>): void {
  const todo: (readonly [value: JsonValue | undefined, schema: Schema | undefined])[] = [[root, schema]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [value, type] = next;
    if (type === undefined) continue;
    if (Array.isArray(value)) {
      for (const item of value) todo.push([item, type.items]);
    } else if (isJsonObject(value)) {
      const { structure, items, goType } = type;
      if (structure !== undefined) names.set(value, goType);
      for (const [key, member] of Object.entries(value))
        todo.push([member, structure?.fields.get(key)?.schema ?? items]);
    }
  }
}
