import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../api/json.ts';
import { currentRelease, servedResources } from '../schema/kubernetes/api-enablement.ts';
import { resolveFeatureGates } from '../schema/kubernetes/feature-gates.ts';
import { createOpenApi, type OpenApiDocument, type OpenApiDocuments } from './documents.ts';
import { canonicalDigest } from './testdata/canonical.ts';
import digests from './testdata/reference-digests.json' with { type: 'json' };

const everyGate = resolveFeatureGates(
  new Map([
    ['AllAlpha', true],
    ['AllBeta', true],
  ]),
  currentRelease,
);
const configurations = {
  default: servedResources(new Map()),
  all: servedResources(new Map([['api/all', 'true']]), { featureGates: everyGate }),
};

describe.each(['default', 'all'] as const)('OpenAPI documents of the %s configuration', (name) => {
  const documents = createOpenApi({ resources: configurations[name], release: currentRelease });
  const recorded: { readonly [document: string]: string } = digests[name];
  const { 'openapi/v2': recordedV2, ...recordedV3 } = recorded;

  test.each(Object.entries(recordedV3))('version 3 of %s is the reference’s but for descriptions', (path, digest) => {
    expect(canonicalDigest(parse(documents.v3(path)))).toBe(digest);
  });

  test('version 2 is the reference’s but for descriptions', () => {
    expect(canonicalDigest(parse(documents.v2Json()))).toBe(recordedV2);
  });

  test('the index names each document with its validator', () => {
    expect(Object.entries(indexOf(documents))).toEqual(
      Object.keys(recordedV3).map((path) => [
        path,
        { serverRelativeURL: `/openapi/v3/${path}?hash=${documents.v3(path)?.etag}` },
      ]),
    );
  });
});

test('documents are made once', () => {
  const documents = createOpenApi({ resources: configurations.default, release: currentRelease });
  expect(documents.v3('apis/apps/v1')).toBe(documents.v3('apis/apps/v1'));
  expect(documents.v2Protobuf()).toBe(documents.v2Protobuf());
  expect(documents.v2Protobuf().etag).toBe(documents.v2Json().etag);
});

test('there is no document of what is not served', () => {
  const documents = createOpenApi({ resources: configurations.default, release: currentRelease });
  expect(documents.v3('apis/apps/v1beta1')).toBeUndefined();
});

test('every definition and every property has a description', () => {
  const documents = createOpenApi({ resources: configurations.all, release: currentRelease });
  for (const [name, schema] of Object.entries(schemasOf(documents))) {
    expect(schema['description'], name).toMatch(/\S\.$/);
    const properties = (schema['properties'] ?? {}) as { [property: string]: JsonObject };
    for (const [property, { description }] of Object.entries(properties)) {
      expect(description, `${name}.${property}`).toMatch(/\S\.$/);
    }
  }
});

function parse(document: OpenApiDocument | undefined): JsonObject {
  // Documents are objects.
  return JSON.parse(document?.body.toString() ?? 'null') as JsonObject;
}

function indexOf(documents: OpenApiDocuments): JsonObject {
  return parse(documents.index())['paths'] as JsonObject;
}

function schemasOf(documents: OpenApiDocuments): { [definition: string]: JsonObject } {
  return Object.assign(
    {},
    ...Object.keys(indexOf(documents)).map((path) => {
      const { components } = parse(documents.v3(path)) as { components: { schemas?: JsonObject } };
      return components.schemas ?? {};
    }),
  );
}
