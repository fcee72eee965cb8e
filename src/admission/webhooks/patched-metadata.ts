import { invalidField, requiredField } from '../../api/errors/field-error.ts';
import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { inKeyOrder } from '../../api/json/json-text.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { internalError, invalid } from '../../api/errors/status-errors.ts';
import type { StatusError } from '../../api/errors/status.ts';
import { sameJson } from '../../schema/custom/former-value.ts';
import { restore } from '../../patch/restore.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import { schemaByName } from '../../schema/kubernetes/definitions.ts';
import type { Schema } from '../../schema/schema.ts';

/** The write of a custom resource that a webhook has patched. */
export interface PatchedWrite {
  readonly kind: GroupVersionKind;
  readonly plural: string;
  /** Undefined for a create. */
  readonly oldObject: Readonly<KubernetesObject> | undefined;
}

/** The server sets these after admission, whatever they are. */
const overwritten: ReadonlySet<string> = new Set(['creationTimestamp', 'generation', 'namespace', 'uid']);

/**
 * A patched custom resource without metadata of wrong types that do not matter. The reference keeps such metadata until
 * it validates the object. Throws a StatusError for others.
 */
export function withFittingMetadata(object: JsonObject, write: PatchedWrite): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata)) {
    refusePresent(metadata, write);
    return object;
  }
  const mismatches = mismatchesOf(metadata);
  if (mismatches.length === 0) return object;
  const others = mismatches.filter(({ field }) => !overwritten.has(field));
  const fitting = { ...metadata };
  for (const { field } of mismatches) delete fitting[field];
  const [first] = others;
  if (first === undefined) return { ...object, metadata: fitting };
  if (write.oldObject !== undefined && first.field === 'resourceVersion') throw withoutVersion(write);
  const isNamed = !others.some(({ field }) => field === 'name');
  const errors = isNamed || write.oldObject === undefined ? [] : nameErrors;
  const whole = inKeyOrder({ ...metadata, ...completed(object, write) });
  const error = invalidField('metadata', whole, first.why);
  throw invalid(write.kind, isNamed ? nameIn(metadata) : '', [...errors, error]);
}

const nameErrors = [
  requiredField('metadata.name', 'name or generateName is required'),
  invalidField('metadata.name', '', 'field is immutable'),
];

function refusePresent(metadata: JsonValue | undefined, write: PatchedWrite): void {
  if (metadata === undefined) return;
  if (write.oldObject === undefined) throw internalError('system metadata was not initialized');
  if (metadata !== null) throw withoutVersion(write);
}

function withoutVersion({ kind: { group }, plural, oldObject }: PatchedWrite): StatusError {
  const error = invalidField('metadata.resourceVersion', 0, 'must be specified for an update');
  return invalid({ group, kind: plural }, oldObject?.metadata.name ?? '', [error]);
}

interface Mismatch {
  readonly field: string;
  readonly why: string;
}

function mismatchesOf(metadata: JsonObject): readonly Mismatch[] {
  const mismatches: Mismatch[] = [];
  for (const { name: field, schema } of metadataSchema().structure?.fields.values() ?? []) {
    try {
      restore(schema, metadata[field] ?? null);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      mismatches.push({ field, why: error.message });
    }
  }
  return mismatches;
}

function metadataSchema(): Schema {
  const schema = schemaByName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  if (schema === undefined) throw new Error('metadata has a schema');
  return schema;
}

/** Metadata that the server would have set. */
function completed(object: JsonObject, { oldObject }: PatchedWrite): JsonObject {
  if (oldObject === undefined) return { generation: 1 };
  const { generation = 1 } = oldObject.metadata;
  // Objects are JSON-shaped.
  const isSame = sameJson(countedPart(object), countedPart(oldObject));
  return { generation: isSame ? generation : Number(generation) + 1 };
}

/** The part of an object whose changes the generation counts. */
function countedPart({ metadata: _metadata, status: _status, ...counted }: JsonObject): JsonObject {
  return counted;
}

function nameIn({ name = '' }: JsonObject): string {
  return typeof name === 'string' ? name : '';
}
