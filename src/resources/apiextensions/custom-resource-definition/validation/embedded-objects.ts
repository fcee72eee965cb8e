import { inKeyOrder } from '../../../../api/json/json-text.ts';
import {
  childPath,
  type FieldError,
  invalidField,
  keyPath,
  requiredField,
} from '../../../../api/errors/field-error.ts';
import { allOf } from '../../../../api/errors/findings.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../api/json/json.ts';
import { dns1035LabelErrors, nameRules } from '../../../../api/meta/names.ts';
import { validateObjectMeta } from '../../../../api/validation/object-meta-validation.ts';
import type { ObjectMeta } from '../../../../api/meta/object.ts';
import { type JsonSchema, propertyOf, schemaIn } from '../../../../schema/custom/json-schema.ts';
import { decodePlain } from '../../../../schema/decode.ts';
import { builtInResources } from '../../../../schema/kubernetes/resources.ts';
import type { Schema } from '../../../../schema/schema.ts';

// Embedded objects (`x-kubernetes-embedded-resource`) have their own apiVersion, kind and metadata.

/** Errors of embedded objects at or below `path`: first decoding errors, then validation. */
export function embeddedObjectErrors(schema: JsonSchema, value: JsonValue, path: string): FieldError[] {
  const objects = [...embeddedObjects(schema, value, path)];
  const [unreadable] = objects.flatMap(({ object, at }) => readErrors(object, at));
  return unreadable === undefined ? objects.flatMap(({ object, at }) => objectErrors(object, at)) : [unreadable];
}

interface EmbeddedObject {
  readonly object: JsonObject;
  readonly at: string;
}

function* embeddedObjects(schema: JsonSchema, value: JsonValue, path: string): Iterable<EmbeddedObject> {
  const items = schemaIn(schema.items);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (items !== undefined) yield* embeddedObjects(items, item, keyPath(path, index));
    }
  }
  if (!isJsonObject(value)) return;
  if (schema['x-kubernetes-embedded-resource'] === true) yield { object: value, at: path };
  const others = schemaIn(schema.additionalProperties);
  for (const [name, item] of Object.entries(value)) {
    const property = propertyOf(schema, name);
    if (property !== undefined) yield* embeddedObjects(property, item, childPath(path, name));
    else if (others !== undefined) yield* embeddedObjects(others, item, keyPath(path, name));
  }
}

let metadataSchema: Schema | undefined;

/** The schema of ObjectMeta, which every kind shares. */
function objectMetaSchema(): Schema {
  metadataSchema ??= builtInResources()
    .find(({ kind }) => kind === 'Namespace')
    ?.schema.structure?.fields.get('metadata')?.schema;
  if (metadataSchema === undefined) throw new Error('namespaces have metadata');
  return metadataSchema;
}

function readErrors(object: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['apiVersion', 'kind']) {
    const value = object[name];
    if (value !== undefined && typeof value !== 'string') {
      errors.push(invalidField(childPath(path, name), value, 'must be a string'));
    }
  }
  const { metadata } = object;
  const problem = metadata === undefined ? undefined : metadataProblem(metadata);
  if (problem !== undefined) {
    errors.push(invalidField(childPath(path, 'metadata'), inKeyOrder(metadata ?? null), problem));
  }
  return errors;
}

function metadataProblem(metadata: JsonValue): string | undefined {
  try {
    decodePlain(objectMetaSchema(), metadata);
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

function objectErrors(object: JsonObject, path: string): FieldError[] {
  const { apiVersion, kind, metadata } = object;
  const errors: FieldError[] = [];
  if (apiVersion === undefined) errors.push(requiredField(childPath(path, 'apiVersion')));
  if (kind === undefined) errors.push(requiredField(childPath(path, 'kind')));
  // Undecodable ones were reported above.
  if (typeof apiVersion === 'string') errors.push(...versionErrors(apiVersion, childPath(path, 'apiVersion')));
  if (typeof kind === 'string') errors.push(...kindErrors(kind, childPath(path, 'kind')));
  if (metadata !== undefined) errors.push(...metadataErrors(metadata, path));
  return errors;
}

function versionErrors(value: string, path: string): FieldError[] {
  if (value === '') return [invalidField(path, value, 'must not be empty')];
  return value.split('/').length > 2 ? [invalidField(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function kindErrors(value: string, path: string): FieldError[] {
  if (value === '') return [invalidField(path, value, 'must not be empty')];
  const texts = dns1035LabelErrors(value.toLowerCase());
  const detail = `may have mixed case, but should otherwise match: ${texts.join(',')}`;
  return texts.length === 0 ? [] : [invalidField(path, value, detail)];
}

/** The name may be missing. */
function metadataErrors(metadata: JsonValue, path: string): FieldError[] {
  // Decoded as ObjectMeta.
  const decoded = decodePlain(objectMetaSchema(), metadata).object as unknown as ObjectMeta;
  const named = { ...decoded, name: decoded.name === undefined || decoded.name === '' ? 'fakename' : decoded.name };
  const rules = { namespaced: (decoded.namespace ?? '') !== '', nameRule: nameRules.pathSegment };
  return allOf(validateObjectMeta(named, rules)).map((error) => ({ ...error, field: childPath(path, error.field) }));
}
