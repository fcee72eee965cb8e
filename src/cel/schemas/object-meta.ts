import type { JsonSchema } from '../../schema/custom/json-schema.ts';

const maxNameLength = 253;
/** A generated value has at least one character. */
const maxPrefixLength = maxNameLength - 1;

/** Adds the fields of every resource: apiVersion, kind and the names in metadata. CEL sees no other metadata. */
export function withObjectMeta(schema: JsonSchema): JsonSchema {
  const { properties = {} } = schema;
  const metadata = properties['metadata']?.properties ?? {};
  const isThere =
    properties['kind']?.type === 'string' &&
    properties['apiVersion']?.type === 'string' &&
    properties['metadata']?.type === 'object' &&
    metadata['name']?.type === 'string' &&
    metadata['generateName']?.type === 'string';
  if (isThere) return schema;
  const text: JsonSchema = { type: 'string' };
  const names: JsonSchema = {
    type: 'object',
    properties: {
      name: cappedText(metadata['name'], maxNameLength),
      generateName: cappedText(metadata['generateName'], maxPrefixLength),
    },
  };
  return { ...schema, properties: { ...properties, kind: text, apiVersion: text, metadata: names } };
}

function cappedText(known: JsonSchema | undefined, most: number): JsonSchema {
  return { type: 'string', maxLength: Math.min(Number(known?.maxLength ?? most), most) };
}
