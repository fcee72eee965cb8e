import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { untimed } from '../cel/rules/rule-times.ts';
import { isUnstructuredKind } from '../schema/unstructured.ts';
import type { Definition } from './definition.ts';
import { definitionEntry, type EntrySurroundings } from './definition-entry.ts';
import { keptDefinition } from './known-definitions.ts';

const definition = (): Definition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'buoys.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'buoys', kind: 'Buoy' },
    scope: 'Namespaced',
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object' } },
        },
      },
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.count',
          statusReplicasPath: '.status.count',
        },
      },
    })),
  },
  status: { acceptedNames: { plural: 'buoys', kind: 'Buoy' } },
});

const surroundings: EntrySurroundings = {
  run: { isTerminating: false },
  origin: { begunAt: 1, isSuccessor: false },
  isTaken: () => false,
  times: untimed,
  servers: { services: () => Promise.reject(new Error('no service is asked for')) },
  metrics: { observe: () => undefined },
};

test('an entry does not keep its definition', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const make = () => {
    const given = definition();
    return { entry: definitionEntry(keptDefinition(given), surroundings), given: new WeakRef(given) };
  };
  const { entry, given } = make();
  await expect
    .poll(() => {
      collectGarbage();
      return given.deref() === undefined;
    })
    .toBe(true);
  expect(entry.versions[0]?.resource.schema.structure?.fields.has('spec')).toBe(true);
});

test('the schema is not read to tell what kind of kind it is', () => {
  const { versions } = definitionEntry(keptDefinition(definition()), surroundings);
  const parse = vi.spyOn(JSON, 'parse');
  try {
    expect(versions.map(({ resource }) => isUnstructuredKind(resource))).toEqual([true, true]);
    expect(parse).not.toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});
