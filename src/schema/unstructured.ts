import type { Schema } from './schema.ts';

/** Whether the reference has no Go type for objects of the schema: those of custom kinds. They have no protobuf form, and tell their kind wherever they stand. */
export function isUnstructured({ structure }: Schema): boolean {
  return structure === undefined || structure.goName === '';
}
