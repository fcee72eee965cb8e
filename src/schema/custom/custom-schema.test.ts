import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema.ts';
import { customSchema } from './custom-schema.ts';
import type { JsonSchema } from './json-schema.ts';

const metadata: Schema = { type: 'object', goType: 'v1.ObjectMeta', name: 'meta' };

function fieldOf(schema: Schema | undefined, ...path: readonly string[]): Schema | undefined {
  return path.reduce((at, name) => at?.structure?.fields.get(name)?.schema, schema);
}

function specOf(properties: { readonly [name: string]: JsonSchema }): Schema {
  return customSchema({ type: 'object', properties: { spec: { type: 'object', properties } } }, metadata);
}

describe('the schema of a custom kind', () => {
  it('has the common fields besides its own', () => {
    const schema = specOf({});
    expect([...(schema.structure?.fields.keys() ?? [])]).toEqual(['spec', 'apiVersion', 'kind', 'metadata']);
    expect(fieldOf(schema, 'metadata')).toBe(metadata);
    expect(schema.preserveUnknownFields).toBeUndefined();
  });

  it('preserves everything if there is none', () => {
    const schema = customSchema(undefined, metadata);
    expect(schema.preserveUnknownFields).toBe(true);
    expect([...(schema.structure?.fields.keys() ?? [])]).toEqual(['apiVersion', 'kind', 'metadata']);
  });

  it('does not take metadata from the definition', () => {
    const schema = customSchema({ type: 'object', properties: { metadata: { type: 'object' } } }, metadata);
    expect(fieldOf(schema, 'metadata')).toBe(metadata);
  });
});

describe.each<readonly [string, JsonSchema, { readonly [name in keyof Schema]?: unknown }]>([
  ['a text', { type: 'string' }, { type: 'string', format: undefined }],
  ['bytes', { type: 'string', format: 'byte' }, { type: 'string', format: 'byte' }],
  ['a text with a format', { type: 'string', format: 'ipv4' }, { type: 'string', format: 'text' }],
  ['an integer', { type: 'integer' }, { type: 'integer', format: 'int64' }],
  ['a small integer', { type: 'integer', format: 'int32' }, { type: 'integer', format: 'int32' }],
  ['a number', { type: 'number' }, { type: 'number', format: 'double' }],
  ['a boolean', { type: 'boolean', default: true }, { type: 'boolean', default: true }],
  ['either', { 'x-kubernetes-int-or-string': true }, { type: 'any', format: 'int-or-string' }],
  ['anything', { 'x-kubernetes-preserve-unknown-fields': true }, { type: 'any', format: 'json' }],
  ['a map of anything', { type: 'object', additionalProperties: true }, { type: 'map', items: undefined }],
  ['an atomic struct', { type: 'object', 'x-kubernetes-map-type': 'atomic' }, { type: 'object', mapType: 'atomic' }],
  [
    'a list by keys',
    {
      type: 'array',
      items: { type: 'object' },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
    },
    { type: 'array', listType: 'map', listMapKeys: ['a', 'b'] },
  ],
  ['a set', { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }, { listType: 'set' }],
  ['a list', { type: 'array', items: { type: 'string' } }, { type: 'array', listType: undefined }],
])('%s', (_, definition, expected) => {
  it('is compiled', () => {
    const schema = fieldOf(specOf({ field: definition }), 'spec', 'field');
    for (const [name, value] of Object.entries(expected)) expect(schema?.[name as keyof Schema], name).toEqual(value);
  });
});

it('embedded objects have metadata too', () => {
  const schema = specOf({ inner: { type: 'object', 'x-kubernetes-embedded-resource': true } });
  expect(fieldOf(schema, 'spec', 'inner')?.embeddedResource).toBe(true);
  expect(fieldOf(schema, 'spec', 'inner', 'metadata')).toBe(metadata);
});

it('a field is compiled when it is first asked for', () => {
  let reads = 0;
  const field: JsonSchema = {
    get type() {
      reads += 1;
      return 'string';
    },
  };
  const spec: JsonSchema = { type: 'object', required: ['a'], properties: { a: field, b: field } };
  const fields = fieldOf(customSchema({ type: 'object', properties: { spec } }, metadata), 'spec')?.structure?.fields;
  expect([fields?.get('a')?.required, fields?.get('b')?.required]).toEqual([true, false]);
  expect(reads).toBe(0);
  expect(fields?.get('a')?.schema.type).toBe('string');
  expect(fields?.get('a')?.schema).toBe(fields?.get('a')?.schema);
  expect(reads).toBeGreaterThan(0);
});
