import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { schemaByName } from '../../src/schema/kubernetes/definitions.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { openApiDifferences, openApiSchema } from './check-openapi.ts';
import { digestByPackage, digestsFile } from './openapi-digest.ts';
import type { OpenApiSchema } from './openapi-source.ts';

const recordedSchemas = join(import.meta.dirname, '../../../shared/facts/all/schemas.json');

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const protocolDefinitions = [
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'DeleteOptions',
  'Patch',
  'Status',
  'WatchEvent',
];

function schemaOf(name: string): Schema {
  const schema = schemaByName(name);
  if (schema === undefined) throw new Error(`no definition ${name}`);
  return schema;
}

/** Definitions that a server publishes: those reachable from its resources and its protocol. */
function publishedNames(): string[] {
  const names = new Set<string>();
  const visit = (schema: Schema | undefined): void => {
    if (schema === undefined) return;
    if (schema.name !== undefined && schema.format !== 'duration') {
      if (names.has(schema.name)) return;
      names.add(schema.name);
    }
    if (schema.format === undefined) visit(schema.items);
    for (const field of schema.structure?.fields.values() ?? []) visit(field.schema);
  };
  for (const resource of builtInResources()) {
    visit(resource.schema);
    visit(schemaByName(`${resource.schema.name}List`));
    for (const { schema } of resource.subresources) visit(schema);
  }
  for (const name of protocolDefinitions) visit(schemaOf(`${meta}.${name}`));
  visit(schemaOf('io.k8s.apimachinery.pkg.version.Info'));
  return [...names];
}

describe('the definitions table', () => {
  test('matches the recorded OpenAPI documents of a running server', () => {
    const recorded = JSON.parse(readFileSync(digestsFile, 'utf8')) as { [prefix: string]: string };
    const published = publishedNames().map((name) => [name, openApiSchema(schemaOf(name), { enums: true })] as const);
    expect(Object.keys(recorded).length).toBeGreaterThan(30);
    for (const [prefix, digest] of Object.entries(recorded)) {
      const actual = digestByPackage(published.filter(([name]) => name.slice(0, name.lastIndexOf('.')) === prefix));
      expect({ [prefix]: actual[prefix] }).toEqual({ [prefix]: digest });
    }
  });

  test.skipIf(!existsSync(recordedSchemas))(
    'equals the recorded documents (only where the recording is beside the project)',
    () => {
      const recorded = JSON.parse(readFileSync(recordedSchemas, 'utf8')) as { [name: string]: OpenApiSchema };
      expect(openApiDifferences(Object.entries(recorded), { enums: true })).toEqual([]);
    },
  );

  test('a difference is reported with its path', () => {
    const differences = openApiDifferences(
      [['io.k8s.api.core.v1.LocalObjectReference', { type: 'object', properties: {} }]],
      { enums: true },
    );
    expect(differences).toHaveLength(2);
    expect(differences[1]).toMatch(/^io\.k8s\.api\.core\.v1\.LocalObjectReference\.name: \{"default":""/);
  });
});
