import { expect, test } from 'vitest';
import { nestsFreely } from './free-nesting.ts';
import { schemaOfKind } from './kubernetes/definitions.ts';

test.each([
  ['', 'v1', 'ConfigMap', false],
  ['apps', 'v1', 'Deployment', false],
  ['apps', 'v1', 'ControllerRevision', true],
  ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', true],
] as const)('%s/%s %s: free-form JSON and recursive types nest freely', (group, version, kind, nests) => {
  const schema = schemaOfKind({ group, version, kind });
  expect(schema && nestsFreely(schema)).toBe(nests);
});
