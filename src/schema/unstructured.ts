import type { Resource } from './resource.ts';
import type { Schema } from './schema.ts';

/**
 * Whether the reference has no Go type for objects of the schema: custom resources. They have no protobuf form, and
 * always have apiVersion and kind.
 */
export function isUnstructured({ definition, structure }: Schema): boolean {
  return definition !== undefined || structure === undefined || structure.goName === '';
}

/** Whether the reference has no Go type for the resource. Does not parse the schemas of unused kinds. */
export function isUnstructuredKind(resource: Pick<Resource, 'unstructured' | 'schema'>): boolean {
  return resource.unstructured ?? isUnstructured(resource.schema);
}
