import { formatApiVersion, formatGroupVersionKind, type GroupVersionKind } from '../../../api/meta/group-version.ts';
import { isJsonObject, type JsonObject } from '../../../api/json/json.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import { internalError } from '../../../api/errors/status-errors.ts';
import { keepNotes } from '../../../api/json/written-notes.ts';
import type { Value } from '../../../cel/values/value.ts';
import { notRegistered, withDefaults } from '../../../codec/claimed-kind.ts';
import { DecodeError } from '../../../schema/decode-errors.ts';
import { decodeWithNulls, decodePlain } from '../../../schema/decode.ts';
import { schemaOfKind } from '../../../schema/kubernetes/definitions.ts';
import type { Schema } from '../../../schema/schema.ts';
import { isUnstructured } from '../../../schema/unstructured.ts';
import { claimedBy, missingKind, otherKind, unsuitableWords } from '../../claimed-kinds.ts';
import { appliedTo } from './apply-configuration.ts';
import { patchedBy } from './json-patch.ts';
import type { MutatedObject } from './mutated-object.ts';
import type { CompiledMutation } from './mutating-policy.ts';
import { MutationError } from './mutation-error.ts';
import { type Inputs, inputTypes } from './input-types.ts';

/** The result of an expression, and what its inputs were. */
export interface MutationResult {
  readonly value: Value;
  readonly inputs: () => Inputs;
}

/**
 * The object after a mutation, decoded by its schema; undefined if it is unchanged. Throws a MutationError, or the
 * StatusError for a patch that breaks the object.
 */
export function mutatedBy(
  mutated: MutatedObject,
  { patchType }: CompiledMutation,
  { value, inputs }: MutationResult,
): KubernetesObject | undefined {
  const types = inputTypes(inputs, mutated.schema);
  if (patchType === 'ApplyConfiguration') return merged(mutated, appliedTo(mutated, value, types));
  const patched = patchedBy(mutated.object, value, types);
  return patched === undefined ? undefined : patchedObject(mutated, patched);
}

function merged({ kind, schema }: MutatedObject, json: JsonObject): KubernetesObject {
  if (schema === undefined) return { ...json } as KubernetesObject; // with the members of the object it was
  try {
    return objectOf(decodePlain(schema, json).object);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const type = numberType(error.message);
    const isBase64 = error.message.startsWith('illegal base64');
    const text = isBase64 ? `error decoding from json: ${error.message}` : error.message;
    const why = type === undefined ? text : `cannot convert float64 to ${type}`;
    throw new MutationError(`unable to convert unstructured object to ${formatGroupVersionKind(kind)}: ${why}`);
  }
}

/** A patch may break the object in any way. */
function patchedObject(mutated: MutatedObject, json: JsonObject): KubernetesObject {
  const { kind } = mutated;
  const claimed = claimedBy(json);
  if (mutated.schema !== undefined && isUnstructured(mutated.schema)) {
    return decoded(claimedCustom(mutated, claimed, json), json);
  }
  const actual = withDefaults(claimed, kind);
  const named = { ...json, apiVersion: formatApiVersion(actual.group, actual.version), kind: actual.kind };
  const isSame = actual.kind === kind.kind && actual.group === kind.group && actual.version === kind.version;
  const schema = isSame ? mutated.schema : schemaOfKind(actual);
  if (schema === undefined && !isSame) throw internalError(notRegistered(actual));
  if (schema === undefined) return named as KubernetesObject; // with the members of the object it was
  const object = decoded(schema, named);
  if (isSame) return object;
  const [from, to] = [schema.goType, mutated.schema?.goType ?? ''];
  throw internalError(`failed to convert object: converting (${from}) to (${to}): unknown conversion`);
}

/** The schema of a custom resource, which a patch may turn into another version. Throws a StatusError. */
function claimedCustom(
  { kind, requested, schemaOf }: MutatedObject,
  claimed: GroupVersionKind,
  json: JsonObject,
): Schema {
  const { group, version } = claimed;
  if (claimed.kind === '') throw missingKind(json);
  if (group !== kind.group) throw internalError(`failed to convert object: ${unsuitableWords(claimed, requested)}`);
  const schema = schemaOf({ ...kind, version });
  if (schema === undefined) {
    const what = `request to convert CR from an invalid group/version: ${formatApiVersion(group, version)}`;
    throw internalError(`failed to convert object: ${what}`);
  }
  if (claimed.kind !== kind.kind) throw otherKind(json, claimed, kind);
  return schema;
}

function decoded(schema: Schema, json: JsonObject): KubernetesObject {
  try {
    const { object, strictErrors } = decodePlain(schema, json);
    // Custom resources are not read again after a mutation: validation sees nulls, the stored version may know more.
    const withNulls = isUnstructured(schema) ? decodeWithNulls(schema, json, { keepsUnknown: true }) : undefined;
    if (isJsonObject(withNulls)) return objectOf(withNulls);
    if (strictErrors.length === 0 || isUnstructured(schema)) return objectOf(object);
    throw internalError(`strict decoding error: ${strictErrors.join(', ')}`);
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message, { cause: error }) : error;
  }
}

function objectOf(decoded: Readonly<JsonObject>): KubernetesObject {
  // Decoded by the schema of a kind.
  return keepNotes(decoded, { metadata: {}, ...decoded }) as KubernetesObject;
}

/** The type that a number does not fit; undefined for other errors. */
function numberType(message: string): string | undefined {
  const before = ' of type ';
  const at = message.lastIndexOf(before);
  const isNumber = at !== -1 && message.startsWith('json: cannot unmarshal number ');
  return isNumber ? message.slice(at + before.length) : undefined;
}
