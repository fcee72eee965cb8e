import { isJsonObject, type JsonValue } from '../../api/json/json.ts';
import { type JsonSchema, propertyOf, schemaIn } from './json-schema.ts';

const metadataFields: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/**
 * Whether pruning would remove fields from a value because its schema does not know them. Embedded objects keep their
 * metadata; preserved fields are kept, except below specified properties. An `undefined` schema knows nothing.
 */
export function hasUnknownFields(value: JsonValue, schema: JsonSchema | undefined): boolean {
  const preserves = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (Array.isArray(value)) {
    const items = schemaIn(schema?.items);
    // Items of a preserved list are preserved, unless they specify otherwise.
    return value.some((item) =>
      preserves && items === undefined ? false : hasUnknownFields(item, preserving(items, preserves)),
    );
  }
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, item]) => {
    if (schema?.['x-kubernetes-embedded-resource'] === true && metadataFields.includes(name)) return false;
    const property = schema === undefined ? undefined : propertyOf(schema, name);
    if (property !== undefined) return hasUnknownFields(item, property);
    if (schema?.additionalProperties !== undefined)
      return hasUnknownFields(item, schemaIn(schema.additionalProperties));
    return !preserves;
  });
}

function preserving(schema: JsonSchema | undefined, preserves: boolean): JsonSchema | undefined {
  return preserves ? { ...schema, 'x-kubernetes-preserve-unknown-fields': true } : schema;
}
