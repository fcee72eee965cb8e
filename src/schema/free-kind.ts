import type { GroupVersionKind } from '../api/group-version.ts';
import { awaited, type Work } from '../api/turns.ts';
import type { Schema, Structure } from './schema.ts';

/** Where free-form JSON of a custom kind is read. */
export interface FreeKind {
  readonly expected: GroupVersionKind;
  /** Of the expected kind. */
  readonly schema: Schema;
  readonly schemaOf: (kind: GroupVersionKind) => Schema | undefined | Promise<Schema | undefined>;
}

/**
 * An object of a custom kind is read by the schema of the version that it names, pruned entirely when there is none,
 * and not at all when it names another kind.
 */
export function* schemaOfFree({ expected, schema, schemaOf }: FreeKind, claimed: GroupVersionKind): Work<Schema> {
  const isOwn = claimed.kind === expected.kind && claimed.group === expected.group;
  if (isOwn && claimed.version === expected.version) return schema;
  const known = isOwn ? yield* awaited(schemaOf(claimed)) : undefined;
  if (known !== undefined) return known;
  return { ...schema, structure: typeStructure(schema), preserveUnknownFields: !isOwn, definition: {} };
}

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function typeStructure({ structure }: Schema): Structure {
  const fields = new Map([...(structure?.fields ?? [])].filter(([name]) => typeFields.has(name)));
  return { goName: '', fields };
}
