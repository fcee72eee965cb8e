import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import type { Schema } from '../schema/schema.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';

const podSpec = schemaByName('io.k8s.api.core.v1.PodSpec') as Schema; // in the table
const objectMeta = schemaByName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as Schema; // in the table

function merged(schema: Schema, object: JsonObject, patch: JsonObject): JsonObject {
  return strategicMergePatch(object, patch, schema).object;
}

function names(list: JsonValue | undefined): unknown {
  return Array.isArray(list) && list.map((item) => (item as JsonObject)['name']); // lists of named objects
}

const containers = (...letters: readonly string[]): JsonObject => ({
  containers: letters.map((name) => ({ name, image: `${name}:1` })),
});

describe('lists merged by key', () => {
  it('merge items with the same key and put new ones before those only in the original', () => {
    const patch = { containers: [{ name: 'b', image: 'b:2', command: ['x'] }, { name: 'd' }] };
    expect(merged(podSpec, containers('a', 'b', 'c'), patch)).toEqual({
      containers: [
        { name: 'a', image: 'a:1' },
        { name: 'b', image: 'b:2', command: ['x'] },
        { name: 'd' },
        { name: 'c', image: 'c:1' },
      ],
    });
  });

  it('lose items with $patch: delete', () => {
    const patch = { containers: [{ name: 'b', $patch: 'delete' }] };
    expect(names(merged(podSpec, containers('a', 'b', 'c'), patch)['containers'])).toEqual(['a', 'c']);
  });

  it('become the rest of the patch with an item $patch: replace', () => {
    const patch = { containers: [{ $patch: 'replace' }, { name: 'z' }] };
    expect(names(merged(podSpec, containers('a', 'b'), patch)['containers'])).toEqual(['z']);
  });

  it('take the order of $setElementOrder', () => {
    const patch = {
      '$setElementOrder/containers': [{ name: 'c' }, { name: 'new' }, { name: 'a' }],
      containers: [{ name: 'new' }],
    };
    expect(names(merged(podSpec, containers('a', 'b', 'c'), patch)['containers'])).toEqual(['b', 'c', 'new', 'a']);
  });

  it('refuse a $setElementOrder that contradicts the list', () => {
    const patch = { '$setElementOrder/containers': [{ name: 'x' }], containers: [{ name: 'y' }] };
    expect(() => merged(podSpec, containers('a'), patch)).toThrow(
      "The order in patch list:\n[map[name:y]]\n doesn't match $setElementOrder list:\n[map[name:x]]\n",
    );
  });

  it('refuse items without their key', () => {
    expect(() => merged(podSpec, containers('a'), { containers: [{ image: 'x' }] })).toThrow(
      'map: map[image:x] does not contain declared merge key: name',
    );
  });
});

describe('lists of scalars', () => {
  it('merge without duplicates', () => {
    expect(merged(objectMeta, { finalizers: ['a', 'b'] }, { finalizers: ['b', 'c'] })).toEqual({
      finalizers: ['a', 'b', 'c'],
    });
  });

  it('lose what $deleteFromPrimitiveList names', () => {
    const patch = { '$deleteFromPrimitiveList/finalizers': ['a', 'x'] };
    expect(merged(objectMeta, { finalizers: ['a', 'b'] }, patch)).toEqual({ finalizers: ['b'] });
  });

  it('are replaced where the schema has no strategy', () => {
    const object = { containers: [{ name: 'a', args: ['1', '2'] }] };
    expect(merged(podSpec, object, { containers: [{ name: 'a', args: ['3'] }] })).toEqual({
      containers: [{ name: 'a', args: ['3'] }],
    });
  });
});

describe('objects', () => {
  it('merge member by member; null removes', () => {
    const object = { securityContext: { runAsUser: 1, fsGroup: 2 }, nodeName: 'n' };
    expect(merged(podSpec, object, { securityContext: { runAsUser: null, runAsGroup: 3 }, nodeName: null })).toEqual({
      securityContext: { fsGroup: 2, runAsGroup: 3 },
    });
  });

  it('are replaced and emptied by $patch', () => {
    const object = { securityContext: { runAsUser: 1 }, affinity: { nodeAffinity: {} } };
    const patch = { securityContext: { $patch: 'replace', fsGroup: 2 }, affinity: { $patch: 'delete' } };
    expect(merged(podSpec, object, patch)).toEqual({ securityContext: { fsGroup: 2 }, affinity: {} });
  });

  it('keep only what $retainKeys names', () => {
    const object = { volumes: [{ name: 'v', hostPath: { path: '/' } }] };
    const patch = { volumes: [{ name: 'v', $retainKeys: ['name', 'emptyDir'], emptyDir: {} }] };
    expect(merged(podSpec, object, patch)).toEqual({ volumes: [{ name: 'v', emptyDir: {} }] });
  });

  it('refuse members that $retainKeys does not name', () => {
    expect(() => merged(podSpec, {}, { $retainKeys: ['nodeName'], hostname: 'h' })).toThrow(
      'invalid patch format of retainKeys',
    );
  });

  it('lose nulls and directives when new', () => {
    const patch = { affinity: { nodeAffinity: null, podAffinity: { $patch: 'replace' } } };
    expect(merged(podSpec, {}, patch)).toEqual({ affinity: {} });
  });
});

it('modifies neither object nor patch', () => {
  const object = containers('a', 'b');
  const patch = { containers: [{ name: 'b', $patch: 'delete' }], '$setElementOrder/containers': [{ name: 'a' }] };
  const before = structuredClone({ object, patch });
  merged(podSpec, object, patch);
  expect({ object, patch }).toEqual(before);
});

describe('merges of thousands of items', () => {
  const count = 40_000;
  const named = (from: number): JsonValue[] =>
    Array.from({ length: count }, (_, index) => ({ name: `c${from + index}`, image: 'x' }));
  const letters = Array.from({ length: count }, (_, index) => `f${index}`);
  it.each<readonly [string, Schema, JsonObject, JsonObject]>([
    ['the same keys', podSpec, { containers: named(0) }, { containers: named(0) }],
    ['other keys', podSpec, { containers: named(0) }, { containers: named(count) }],
    [
      'deletions',
      podSpec,
      { containers: named(0) },
      { containers: named(count / 2).map((item) => ({ ...(item as JsonObject), $patch: 'delete' })) },
    ],
    [
      'another order',
      podSpec,
      { containers: named(0) },
      { '$setElementOrder/containers': named(0).reverse(), containers: named(0).reverse() },
    ],
    ['no order', podSpec, { containers: named(0) }, { '$setElementOrder/containers': [], containers: named(count) }],
    ['scalars', objectMeta, { finalizers: letters }, { finalizers: letters.toReversed() }],
    ['fewer scalars', objectMeta, { finalizers: letters }, { '$deleteFromPrimitiveList/finalizers': letters }],
  ])('take linear time: %s', (_, schema, object, patch) => {
    const startMs = performance.now();
    strategicMergePatch(object, patch, schema);
    expect(performance.now() - startMs).toBeLessThan(15_000);
  });
});
