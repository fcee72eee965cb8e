import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { encodeAny } from '../api/json/json-text.ts';
import { compareTyped } from './compare.ts';
import { apiVersionOf, type ManagedKind } from './field-manager.ts';
import type { FieldSet } from './field-set.ts';
import { toFieldSet } from './to-field-set.ts';
import { typedValue } from './validate.ts';
import { TypedValueError } from './value-errors.ts';

// Client-side `kubectl apply` keeps the applied configuration in an annotation. Server-side apply by the same client
// takes over from it.

export const lastAppliedManager = 'kubectl';
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const maxAnnotationsBytes = 256 * 1024;

function annotationsOf({ metadata }: Readonly<JsonObject>): JsonObject | undefined {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  return isJsonObject(annotations) ? annotations : undefined;
}

function lastAppliedOf(object: Readonly<JsonObject>): string {
  const value = getOwn(annotationsOf(object), annotation);
  return typeof value === 'string' ? value : '';
}

/**
 * The fields that the client applied before and that still have those values: they do not conflict. Undefined without a
 * usable annotation.
 */
export function stillAsApplied(kind: ManagedKind, live: Readonly<JsonObject>): FieldSet | undefined {
  const text = lastAppliedOf(live);
  if (text === '') return undefined;
  try {
    const applied = JSON.parse(text) as JsonValue;
    if (!isJsonObject(applied) || applied['kind'] !== kind.kind.kind) return undefined;
    if (applied['apiVersion'] !== apiVersionOf(kind)) return undefined;
    const liveTyped = typedValue(kind.type, live, { allowDuplicates: false });
    const appliedTyped = typedValue(kind.type, applied, { allowDuplicates: false });
    const { added, modified, removed } = compareTyped(appliedTyped, liveTyped);
    return toFieldSet(appliedTyped).difference(modified).difference(added).difference(removed);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypedValueError) return undefined;
    throw error;
  }
}

/** `object` with the annotation updated, if it has one already and the new one fits. */
export function withLastApplied(object: Readonly<JsonObject>, patch: Readonly<JsonObject>): JsonObject {
  const annotations = annotationsOf(object);
  if (annotations === undefined || lastAppliedOf(object) === '') return object;
  const updated: JsonObject = { ...annotations, [annotation]: configurationText(patch) };
  let bytes = 0;
  for (const [key, value] of Object.entries(updated)) {
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  if (bytes > maxAnnotationsBytes) delete updated[annotation];
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { ...metadata, annotations: updated } };
}

function configurationText(patch: Readonly<JsonObject>): string {
  const annotations = annotationsOf(patch);
  if (annotations === undefined || !isJsonObject(patch['metadata'])) return `${encodeAny(patch)}\n`;
  const { [annotation]: _, ...others } = annotations;
  return `${encodeAny({ ...patch, metadata: { ...patch['metadata'], annotations: others } })}\n`;
}
