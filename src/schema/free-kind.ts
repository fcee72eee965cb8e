import type { GroupVersionKind } from '../api/meta/group-version.ts';
import type { Schema, Structure } from './schema.ts';

/**
 * An object of a custom kind is read by the schema of the version that it names, pruned entirely when there is none,
 * and not at all when it names another kind. `schema` is that of the expected kind, `known` of the claimed one.
 */
export function freeSchema(
  expected: GroupVersionKind,
  claimed: GroupVersionKind,
  { schema, known }: { readonly schema: Schema; readonly known: Schema | undefined },
): Schema {
  const isOwn = claimed.kind === expected.kind && claimed.group === expected.group;
  if (isOwn && claimed.version === expected.version) return schema;
  if (isOwn && known !== undefined) return known;
  return { ...schema, structure: typeStructure(schema), preserveUnknownFields: !isOwn, definition: {} };
}

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function typeStructure({ structure }: Schema): Structure {
  const fields = new Map([...(structure?.fields ?? [])].filter(([name]) => typeFields.has(name)));
  return { goName: '', fields };
}
