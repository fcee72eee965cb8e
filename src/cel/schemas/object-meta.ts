import type { JsonSchema } from '../../schema/custom/json-schema.ts';

const maxNameLength = 253;
/** What is generated takes a character at least. */
const maxPrefixLength = maxNameLength - 1;

/** With what each resource has: its kind, and the names in its metadata. Nothing else of the metadata is to be seen. */
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
