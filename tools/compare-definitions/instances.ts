import { goRegexpMatches } from '../../src/api/go/go-regexp.ts';
import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { type JsonSchema, schemaIn } from '../../src/schema/custom/json-schema.ts';

// Values that a schema accepts, or nearly: `oneOf` and the like, and rules, are ignored.

export type Amount = 'minimal' | 'full';

const maxDepth = 12;

/** For an object: only required properties, or all of them. */
export function sampleOf(schema: JsonSchema, amount: Amount, depth = 0): JsonValue {
  const { type, enum: values = [], default: preset } = schema;
  if (preset !== undefined && preset !== null && type !== 'object') return preset;
  if (values[0] !== undefined) return values[0];
  if (schema['x-kubernetes-int-or-string'] === true) return 1;
  switch (type) {
    case 'object':
      return objectOf(schema, amount, depth);
    case 'array':
      return listOf(schema, amount, depth);
    case 'string':
      return sampleText(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return true;
    default:
      return { any: 'thing' };
  }
}

function objectOf(schema: JsonSchema, amount: Amount, depth: number): JsonObject {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = amount === 'full' && depth < maxDepth ? Object.keys(properties) : required;
  const object: { [name: string]: JsonValue } = {};
  if (schema['x-kubernetes-embedded-resource'] === true) Object.assign(object, { apiVersion: 'v1', kind: 'Any' });
  for (const name of names) {
    const property = properties[name];
    if (property !== undefined && object[name] === undefined) object[name] = sampleOf(property, amount, depth + 1);
  }
  const values = schemaIn(additionalProperties);
  const count = Math.max(Number(schema.minProperties ?? 0), amount === 'full' ? 1 : 0);
  if (values !== undefined && names.length === 0) {
    for (let index = 0; index < Math.min(count, 5); index += 1)
      object[`key${index}`] = sampleOf(values, amount, depth + 1);
  }
  return object;
}

function listOf(schema: JsonSchema, amount: Amount, depth: number): JsonValue {
  const items = schemaIn(schema.items);
  if (items === undefined) return [];
  const count = Math.max(Number(schema.minItems ?? 0), amount === 'full' && depth < maxDepth ? 1 : 0);
  return Array.from({ length: Math.min(count, 5) }, () => sampleOf(items, amount, depth + 1));
}

const ofFormats: { readonly [format: string]: string } = {
  'date-time': '2024-01-02T03:04:05Z',
  date: '2024-01-02',
  duration: '1h',
  byte: 'YWJj',
  uri: 'https://example.com/a',
  hostname: 'example.com',
  ipv4: '10.0.0.1',
  ipv6: 'fd00::1',
  cidr: '10.0.0.0/8',
  uuid: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  email: 'a@example.com',
};

/** One of these satisfies most patterns in definitions. */
const candidates = [
  'a',
  'example',
  'a.b',
  'example.com',
  'example.com/a',
  'A',
  'Abc',
  '1',
  '10',
  '100',
  '1Gi',
  '10%',
  '1h',
  '1h0m',
  '10s',
  'v1',
  'v1.2.3',
  '1.2.3',
  'a/b',
  '/a',
  '/',
  'https://example.com',
  'http://a',
  '10.0.0.1',
  '10.0.0.0/8',
  'arn:aws:iam::123456789012:role/a',
  'vpc-0123456789abcdef0',
  'sha256:',
  'subnet-0123456789abcdef0',
  'sg-0123456789abcdef0',
  'ami-0123456789abcdef0',
  'a=b',
  'a:b',
  '0 0 * * *',
  '*',
  '@daily',
  '',
  'true',
  'a-b',
  'a_b',
  'cb-0123456789abcdef0',
  'pl-0123456789abcdef0',
  'fl-1',
  'i-0123456789abcdef0',
  '9.1.0',
  'a.b.c',
  '0.5',
  'key: value',
  '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  '\\d',
  '{}',
  '[]',
  'aa:bb:cc:dd:ee:ff',
];

function sampleText({ pattern = '', format = '', minLength, maxLength }: JsonSchema): string {
  const preset = ofFormats[format];
  if (preset !== undefined && pattern === '') return preset;
  const [least, most] = [Number(minLength ?? 0), Number(maxLength ?? 1000)];
  const fits = (text: string): boolean => text.length >= least && text.length <= most;
  if (pattern === '') return 'a'.repeat(Math.max(1, least)).slice(0, most);
  return (
    candidates.find((text) => fits(text) && goRegexpMatches(pattern, text) === true) ?? 'a'.repeat(Math.max(1, least))
  );
}

function numberOf({ type, minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum }: JsonSchema): number {
  const step = Number(multipleOf ?? (type === 'integer' ? 1 : 0.5));
  if (minimum !== undefined) return Math.ceil(Number(minimum) / step) * step + (exclusiveMinimum === true ? step : 0);
  const most = Number(maximum ?? step * 2);
  return most < step ? most - (exclusiveMaximum === true ? step : 0) : step;
}
