import { expect, test } from 'vitest';
import { builtInResources } from './kubernetes/resources.ts';
import { isUnstructured } from './unstructured.ts';

test('the table of resources tells of each schema what the schema tells', () => {
  const wrong = builtInResources().filter(({ unstructured, schema }) => unstructured !== isUnstructured(schema));
  expect(wrong).toEqual([]);
});
