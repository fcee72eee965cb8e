import { expect, test } from 'vitest';
import { noteHuge } from '../api/huge-objects.ts';
import type { JsonObject, JsonValue } from '../api/json.ts';
import { finish } from '../api/turns.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import { emptyManaged, encodeManaged } from './managed-entries.ts';
import { managedAfterUpdate, type ManagedKind, trackUpdate } from './field-manager.ts';
import { mergeTypeOf } from './schema-type.ts';
import { shapeFrom } from './value-shape.ts';

const pods = mergeTypeOf(schemaOfKind({ group: '', version: 'v1', kind: 'Pod' }));
const kind: ManagedKind = {
  kind: { group: '', version: 'v1', kind: 'Pod' },
  subresource: '',
  type: pods,
  convert: (object) => object,
  filterOf: () => undefined,
};
const empty = { metadata: {}, spec: { containers: null }, status: {} };

function pod(spec: JsonObject, labels: JsonObject = { app: 'web' }): JsonObject {
  return { metadata: { name: 'a', labels }, spec };
}

function container(port: number, rest: JsonObject = {}): JsonValue[] {
  return [{ name: 'c', image: 'i', ports: [{ containerPort: port, protocol: 'TCP' }], ...rest }];
}

function ownersOf(object: JsonObject): unknown {
  const now = '2026-01-02T03:04:05Z';
  const write = { live: empty, updated: object, manager: 'm', now };
  const views = { live: { object: empty, entries: undefined }, updated: { object, entries: undefined } };
  const kept = finish(managedAfterUpdate(kind, { ...views, manager: 'm', now }));
  expect(kept).toEqual(finish(encodeManaged(finish(trackUpdate(kind, { ...write, managed: emptyManaged() })))));
  return kept;
}

const base = pod({ containers: container(80) });
const same = pod({ containers: container(80, { image: 'other' }) }, { app: 'other' });
const others: { readonly [what: string]: JsonObject } = {
  'another key of an item': pod({ containers: container(81) }),
  'a field more': pod({ containers: container(80, { tty: true }) }),
  'a label more': pod({ containers: container(80) }, { app: 'web', tier: 'x' }),
  'nothing instead of a list': pod({ containers: null }),
  'an empty list': pod({ containers: [] }),
  'items that repeat': pod({ containers: [...container(80), ...container(80)] }),
  'a key that looks like two': pod({ containers: container(80) }, { 'app3:tis': 'web' }),
};

test('objects that differ only in values have the same shape and owners', () => {
  expect(shapeFrom(pods, empty, same)).toBe(shapeFrom(pods, empty, base));
  expect(ownersOf(same)).toEqual(ownersOf(base));
});

test.each(Object.entries(others))('%s is another shape, with owners of its own', (_, object) => {
  expect(shapeFrom(pods, empty, object)).not.toBe(shapeFrom(pods, empty, base));
  expect(ownersOf(object)).not.toEqual(ownersOf(base));
});

test('huge objects have none', () => {
  const labels = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, '']));
  noteHuge(labels, 'k0');
  expect(shapeFrom(pods, empty, pod({ containers: container(80) }, labels))).toBeUndefined();
});

test('values count where the empty object has some', () => {
  const status = mergeTypeOf(schemaOfKind({ group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' }));
  const before = { status: { currentHealthy: 0 } };
  const shapeOf = (currentHealthy: number): string | undefined =>
    shapeFrom(status, before, { status: { currentHealthy } });
  expect(shapeOf(0)).not.toBe(shapeOf(3));
  expect(shapeOf(4)).toBe(shapeOf(3));
});
