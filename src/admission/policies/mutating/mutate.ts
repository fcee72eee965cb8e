import { formatApiVersion, formatGroupVersionKind, parseApiVersion } from '../../../api/group-version.ts';
import type { JsonObject } from '../../../api/json.ts';
import type { KubernetesObject } from '../../../api/object.ts';
import { internalError } from '../../../api/status-errors.ts';
import type { Work } from '../../../api/turns.ts';
import { keepNotedFloats } from '../../../api/written-floats.ts';
import type { Value } from '../../../cel/values/value.ts';
import { notRegistered } from '../../../codec/claimed-kind.ts';
import { DecodeError } from '../../../schema/decode-errors.ts';
import { readTypedValue } from '../../../schema/decode.ts';
import { schemaOfKind } from '../../../schema/kubernetes/definitions.ts';
import type { Schema } from '../../../schema/schema.ts';
import { isUnstructured } from '../../../schema/unstructured.ts';
import { appliedTo } from './apply-configuration.ts';
import { patchedBy } from './json-patch.ts';
import type { MutatedObject } from './mutated-object.ts';
import type { CompiledMutation } from './mutating-policy.ts';
import { MutationError } from './mutation-error.ts';

/**
 * The object after a mutation, decoded by its schema; undefined if it is unchanged. `value` is the result of the
 * expression. Throws a MutationError, or the StatusError for a patch that breaks the object.
 */
export function* mutatedBy(
  mutated: MutatedObject,
  { patchType }: CompiledMutation,
  value: Value,
): Work<KubernetesObject | undefined> {
  if (patchType === 'ApplyConfiguration') return yield* merged(mutated, yield* appliedTo(mutated, value));
  const patched = yield* patchedBy(mutated.object, value);
  return patched === undefined ? undefined : yield* patchedObject(mutated, patched);
}

function* merged({ kind, schema }: MutatedObject, json: JsonObject): Work<KubernetesObject> {
  if (schema === undefined) return { ...json } as unknown as KubernetesObject; // with the members of the object it was
  try {
    return objectOf((yield* readTypedValue(schema, json)).object);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const type = numberType(error.message);
    const why = type === undefined ? error.message : `cannot convert float64 to ${type}`;
    throw new MutationError(`unable to convert unstructured object to ${formatGroupVersionKind(kind)}: ${why}`);
  }
}

/** A patch may break the object in any way. */
function* patchedObject(mutated: MutatedObject, json: JsonObject): Work<KubernetesObject> {
  const schema = claimedSchema(mutated, json);
  if (schema === undefined) return json as unknown as KubernetesObject; // as above
  try {
    const { object, strictErrors } = yield* readTypedValue(schema, json);
    if (strictErrors.length > 0 && !isUnstructured(schema)) {
      throw internalError(`strict decoding error: ${strictErrors.join(', ')}`);
    }
    if (schema === mutated.schema) return objectOf(object);
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message, { cause: error }) : error;
  }
  const [from, to] = [schema.goType, mutated.schema?.goType ?? ''];
  throw internalError(`failed to convert object: converting (${from}) to (${to}): unknown conversion`);
}

/** The schema of the kind that the object claims to be. */
function claimedSchema({ kind, schema }: MutatedObject, json: JsonObject): Schema | undefined {
  const { kind: name, apiVersion } = json;
  if (name === kind.kind && apiVersion === formatApiVersion(kind.group, kind.version)) return schema;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const claimed = { ...(parseApiVersion(text(apiVersion)) ?? { group: '', version: '' }), kind: text(name) };
  const other = schemaOfKind(claimed);
  if (other === undefined) throw internalError(notRegistered(claimed));
  return other;
}

function objectOf(decoded: Readonly<JsonObject>): KubernetesObject {
  // Decoded by the schema of a kind.
  return keepNotedFloats(decoded, { metadata: {}, ...decoded }) as unknown as KubernetesObject;
}

/** The type that a number does not fit; undefined for other errors. */
function numberType(message: string): string | undefined {
  const before = ' of type ';
  const at = message.lastIndexOf(before);
  const isNumber = at !== -1 && message.startsWith('json: cannot unmarshal number ');
  return isNumber ? message.slice(at + before.length) : undefined;
}
