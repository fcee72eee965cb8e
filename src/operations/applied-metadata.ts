import { invalidField } from '../api/errors/field-error.ts';
import { addInt64 } from '../api/values/int64.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { inKeyOrder } from '../api/json/json-text.ts';
import type { StatusError } from '../api/errors/status.ts';
import { invalid } from '../api/errors/status-errors.ts';
import type { ManagedObject } from '../fieldmanagement/field-manager.ts';
import { equalValues } from '../fieldmanagement/values.ts';
import { conversionProblem } from './converted-object.ts';
import type { ServedKind } from './resource-scope.ts';

/* Metadata that the server sets, which a configuration of a custom resource may have in any form: the reference reads
   them one by one, and replaces most of them before it validates the object. */

/** Replaced by those of the live object, or by new ones. */
const replaced: readonly string[] = ['generation', 'creationTimestamp', 'managedFields'];
/** Validated with an object that exists; a new one goes without them. */
const validated: readonly string[] = ['deletionTimestamp', 'deletionGracePeriodSeconds'];

/** A custom resource without the metadata that cannot be read. */
export interface MendedObject {
  readonly object: JsonObject;
  /** What an update is refused for. */
  readonly broken: { readonly metadata: JsonObject; readonly problem: string } | undefined;
}

/** Undefined if there is nothing to mend. */
export function withoutUnreadableMetadata({ schema }: ServedKind, object: JsonObject): MendedObject | undefined {
  const { metadata } = object;
  const metadataSchema = schema.structure?.fields.get('metadata')?.schema;
  if (schema.definition === undefined || !isJsonObject(metadata) || metadataSchema === undefined) return undefined;
  const problems = new Map(
    [...replaced, ...validated].flatMap((member) => {
      const value = metadata[member];
      const problem = value === undefined ? undefined : conversionProblem(metadataSchema, { [member]: value });
      return problem === undefined ? [] : [[member, problem] as const];
    }),
  );
  if (problems.size === 0) return undefined;
  const without = (members: readonly string[]): JsonObject =>
    Object.fromEntries(Object.entries(metadata).filter(([name]) => !(members.includes(name) && problems.has(name))));
  const [problem] = validated.flatMap((member) => problems.get(member) ?? []);
  return {
    object: { ...object, metadata: without([...replaced, ...validated]) },
    broken: problem === undefined ? undefined : { metadata: without(replaced), problem },
  };
}

/** The refusal of an update whose metadata cannot be read; the value shown is what would have been validated. */
export async function brokenMetadata(
  { group, kind }: ServedKind,
  {
    object,
    broken: { metadata, problem },
  }: { readonly object: JsonObject; readonly broken: NonNullable<MendedObject['broken']> },
  { live, entries }: { readonly live: ManagedObject; readonly entries: readonly JsonObject[] | undefined },
): Promise<StatusError> {
  const { creationTimestamp = null, generation = 1, name = '' } = liveMetadata(live);
  const isSame = equalValues(withoutMetadata(object), withoutMetadata(live.object));
  const shown = inKeyOrder({
    ...metadata,
    creationTimestamp,
    generation: isSame || typeof generation !== 'number' ? generation : addInt64(generation, 1),
    managedFields: [...(entries ?? [])],
  });
  return invalid({ group, kind }, typeof name === 'string' ? name : '', [invalidField('metadata', shown, problem)]);
}

export function liveMetadata({ object: { metadata } }: ManagedObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}

function withoutMetadata(object: Readonly<JsonObject>): JsonValue {
  const { metadata: _, ...others } = object;
  return others;
}
