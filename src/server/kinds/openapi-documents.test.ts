import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../api/json/json.ts';
import { catalogueOf } from '../../catalogue/testdata/catalogue-of.ts';
import { documentationOf } from '../../openapi/documentation.ts';
import { createOpenApi, type OpenApiDocument, type OpenApiDocuments } from '../../openapi/documents.ts';
import { canonicalDigest } from '../../openapi/testdata/canonical.ts';
import digests from '../../openapi/testdata/reference-digests.json' with { type: 'json' };
import { currentRelease, servedResources } from '../../schema/kubernetes/api-enablement.ts';
import { resolveFeatureGates } from '../../schema/kubernetes/feature-gates.ts';
import { kindEnvironment } from '../../resources/testdata/kind-environment.ts';
import { builtInBehaviour } from '../../resources/built-in-behaviour.ts';

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

const behaviourOf = builtInBehaviour(kindEnvironment({ featureGates: new Map() }));
const documentsOf = createOpenApi({ release: currentRelease, documentation: async () => documentationOf({}) });

describe.each(['default', 'all'] as const)('OpenAPI documents of the %s configuration', (name) => {
  const documents = documentsOf(catalogueOf(configurations[name], behaviourOf));
  const recorded: { readonly [document: string]: string } = digests[name];
  const { 'openapi/v2': recordedV2, ...recordedV3 } = recorded;

  test.each(Object.entries(recordedV3))(
    'version 3 of %s matches the reference except for descriptions',
    async (path, digest) => {
      expect(canonicalDigest(parse(await documents.v3(path)))).toBe(digest);
    },
  );

  test('version 2 matches the reference except for descriptions', async () => {
    expect(canonicalDigest(parse(await documents.v2Json()))).toBe(recordedV2);
  });

  test('the index lists each document with its validator', async () => {
    const entries = Object.keys(recordedV3).map(async (path) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${(await documents.v3(path))?.etag}` },
    ]);
    expect(Object.entries(await indexOf(documents))).toEqual(await Promise.all(entries));
  });
});

test('every definition and every property has a description', async () => {
  const documents = documentsOf(catalogueOf(configurations.all));
  for (const [name, schema] of Object.entries(await schemasOf(documents))) {
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

async function indexOf(documents: OpenApiDocuments): Promise<JsonObject> {
  return parse(await documents.index())['paths'] as JsonObject;
}

async function schemasOf(documents: OpenApiDocuments): Promise<{ [definition: string]: JsonObject }> {
  const paths = Object.keys(await indexOf(documents));
  const ofDocuments = paths.map(async (path) => {
    const { components } = parse(await documents.v3(path)) as { components: { schemas?: JsonObject } };
    return components.schemas ?? {};
  });
  return Object.assign({}, ...(await Promise.all(ofDocuments))) as { [definition: string]: JsonObject };
}
