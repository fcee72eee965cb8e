import { childPath, type FieldErrors, invalidField, keyPath, requiredField } from '../api/errors/field-error.ts';
import { parseApiVersion } from '../api/meta/group-version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { dns1035LabelErrors, pathSegmentErrors } from '../api/meta/names.ts';
import type { ObjectMeta } from '../api/meta/object.ts';
import { validateObjectMeta } from '../api/validation/object-meta-validation.ts';
import type { Schema } from '../schema/schema.ts';

/** Errors in embedded objects (`x-kubernetes-embedded-resource`). */
export function* embeddedObjects(schema: Schema, value: JsonValue, path: string): FieldErrors {
  if (schema.definition === undefined) return;
  if (Array.isArray(value)) {
    if (schema.items === undefined) return;
    for (const [index, item] of value.entries()) {
      yield* embeddedObjects(schema.items, item, keyPath(path, index));
    }
  } else if (isJsonObject(value)) {
    if (schema.embeddedResource === true) yield* embeddedObject(value, path);
    yield* inObject(schema, value, path);
  }
}

function* inObject(schema: Schema, object: JsonObject, path: string): FieldErrors {
  for (const [key, item] of Object.entries(object)) {
    const field = schema.structure?.fields.get(key);
    if (field !== undefined) yield* embeddedObjects(field.schema, item, childPath(path, key));
    else if (schema.type === 'map' && schema.items !== undefined)
      yield* embeddedObjects(schema.items, item, keyPath(path, key));
  }
}

function* embeddedObject(object: JsonObject, path: string): FieldErrors {
  const { apiVersion, kind, metadata } = object;
  const [apiVersionPath, kindPath] = [childPath(path, 'apiVersion'), childPath(path, 'kind')];
  if (apiVersion === undefined) yield requiredField(apiVersionPath);
  if (kind === undefined) yield requiredField(kindPath);
  if (apiVersion !== undefined) yield* apiVersionErrors(apiVersion, apiVersionPath);
  if (kind !== undefined) yield* kindErrors(kind, kindPath);
  if (isJsonObject(metadata)) yield* metadataErrors(metadata, childPath(path, 'metadata'));
}

function* apiVersionErrors(value: JsonValue, path: string): FieldErrors {
  if (typeof value !== 'string') yield invalidField(path, value, 'must be a string');
  else if (value === '') yield invalidField(path, value, 'must not be empty');
  else if (parseApiVersion(value) === undefined) {
    yield invalidField(path, value, `unexpected GroupVersion string: ${value}`);
  }
}

function* kindErrors(value: JsonValue, path: string): FieldErrors {
  if (typeof value !== 'string') {
    yield invalidField(path, value, 'must be a string');
    return;
  }
  if (value === '') {
    yield invalidField(path, value, 'must not be empty');
    return;
  }
  const errors = dns1035LabelErrors(value.toLowerCase());
  if (errors.length > 0) {
    yield invalidField(path, value, `may have mixed case, but should otherwise match: ${errors.join(',')}`);
  }
}

/** An embedded object needs no name, and may have a namespace. */
function* metadataErrors(given: JsonObject, path: string): FieldErrors {
  // Decoded as metadata.
  const metadata = given as ObjectMeta;
  const named = (metadata.name ?? '') === '' ? { ...metadata, name: 'fakename' } : metadata;
  const namespaced = (metadata.namespace ?? '') !== '';
  for (const error of validateObjectMeta(named, { namespaced, nameRule: pathSegmentErrors })) {
    yield { ...error, field: `${path}${error.field.slice('metadata'.length)}` };
  }
}
