import type { Schema } from './schema.ts';

/**
 * Whether the reference has no Go type for objects of the schema: custom resources. They have no protobuf form, and
 * always have apiVersion and kind.
 */
export function isUnstructured({ structure }: Schema): boolean {
  return structure === undefined || structure.goName === '';
}
