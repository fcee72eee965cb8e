import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import { encodeJson } from './encode-json.ts';
import { schemaByName } from './kubernetes/definitions.ts';
import { builtInResources } from './kubernetes/resources.ts';

const definitions = builtInResources().find(({ plural }) => plural === 'customresourcedefinitions');

/** Sorted keys, as sent by some clients: `properties` precedes `type`, unlike on the wire. */
function nestedSchema(depth: number): JsonObject {
  if (depth === 0) return { type: 'string' };
  return { properties: { a: nestedSchema(depth - 1) }, type: 'object' };
}

describe('keys in another than wire order', () => {
  it('are sorted, in a time that does not double with every level', () => {
    if (definitions === undefined) throw new Error('definitions are built in');
    const schema = { openAPIV3Schema: nestedSchema(200) };
    const text = encodeJson(definitions.schema, { spec: { versions: [{ schema, name: 'v1' }] } });
    expect(text).toContain(
      '"versions":[{"name":"v1","served":false,"storage":false,"schema":{"openAPIV3Schema":{"type":"object",',
    );
    expect(text.split('"properties"')).toHaveLength(201);
  });
});

describe('the union of a schema and a list of them', () => {
  it.each([
    [[], 'null'],
    [[{ type: 'string' }], '[{"type":"string"}]'],
    [{ type: 'string' }, '{"type":"string"}'],
  ])('%j is written as %s', (items, written) => {
    const schema = schemaByName('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    expect(schema && encodeJson(schema, { items })).toBe(`{"items":${written}}`);
  });
});
