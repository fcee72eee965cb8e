import { expect, test } from 'vitest';
import type { JsonObject } from '../../../api/json/json.ts';
import { definitionFromBeta1, definitionToBeta1 } from './conversion.ts';

const version = { served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };

const specs: readonly JsonObject[] = [
  { versions: [{ name: 'v1', ...version, additionalPrinterColumns: [{ name: 'A', jsonPath: '.a' }] }] },
  {
    versions: [
      { name: 'v2', ...version, subresources: { status: {} } },
      { name: 'v1', ...version, storage: false },
    ],
  },
  {
    versions: [{ name: 'v1', ...version }],
    conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'u' }, conversionReviewVersions: ['v1'] } },
  },
];

test.each(specs.map((spec) => ({ spec })))('%j round-trips through v1beta1', ({ spec }) => {
  const there = definitionToBeta1({ spec });
  expect(definitionFromBeta1(there)).toEqual({ spec: { ...spec, preserveUnknownFields: false } });
});

test('settings shared by all versions move to the top level', () => {
  const versions = ['v2', 'v1'].map((name) => ({ name, ...version, storage: name === 'v2' }));
  expect(definitionToBeta1({ spec: { versions } })).toEqual({
    spec: {
      preserveUnknownFields: false,
      version: 'v2',
      validation: version.schema,
      versions: [
        { name: 'v2', served: true, storage: true },
        { name: 'v1', served: true, storage: false },
      ],
    },
  });
});
