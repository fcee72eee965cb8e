import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import { emptyManaged, encodeManaged } from './managed-entries.ts';
import { managedAfterUpdate, type ManagedKind, trackUpdate } from './field-manager.ts';
import { mergeTypeOf } from './schema-type.ts';
import { type MergeType } from './merge-type.ts';
import { type Shape, Shapes } from './value-shape.ts';

const pods = mergeTypeOf(schemaOfKind({ group: '', version: 'v1', kind: 'Pod' }));
const kind: ManagedKind = {
  kind: { group: '', version: 'v1', kind: 'Pod' },
  subresource: '',
  type: pods,
  convert: (object) => object,
  filterOf: () => undefined,
};
const shapes = new Shapes<string>(1024 * 1024);

function shapeFrom(type: MergeType, base: JsonValue, value: JsonValue): Shape<string> | undefined {
  return shapes.of(1, type, { base, value });
}

const empty = { metadata: {}, spec: { containers: null }, status: {} };

function pod(spec: JsonObject, labels: JsonObject = { app: 'web' }): JsonObject {
  return { metadata: { name: 'a', labels }, spec };
}

function container(port: number, rest: JsonObject = {}): JsonValue[] {
  return [{ name: 'c', image: 'i', ports: [{ containerPort: port, protocol: 'TCP' }], ...rest }];
}

async function ownersOf(object: JsonObject): Promise<unknown> {
  const now = '2026-01-02T03:04:05Z';
  const write = { live: empty, updated: object, manager: 'm', now };
  const views = { live: { object: empty, entries: undefined }, updated: { object, entries: undefined } };
  const kept = await managedAfterUpdate(kind, { ...views, manager: 'm', now });
  expect(kept).toEqual(encodeManaged(await trackUpdate(kind, { ...write, managed: emptyManaged() })));
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
  'a number for a text': pod({
    containers: [{ name: 'c', image: 'i', ports: [{ containerPort: '80', protocol: 'TCP' }] }],
  }),
};

test('objects that differ only in values have the same shape and owners', async () => {
  expect(shapeFrom(pods, empty, same)).toBe(shapeFrom(pods, empty, base));
  expect(await ownersOf(same)).toEqual(await ownersOf(base));
});

test.each(Object.entries(others))('%s is another shape, with owners of its own', async (_, object) => {
  expect(shapeFrom(pods, empty, object)).not.toBe(shapeFrom(pods, empty, base));
  expect(await ownersOf(object)).not.toEqual(await ownersOf(base));
});

test('a field of the last item is another than one after the list', async () => {
  const securityContext = { runAsUser: 1 };
  const inside = pod({ containers: container(80, { securityContext }) });
  const after = pod({ containers: container(80), securityContext });
  expect(shapeFrom(pods, empty, inside)).not.toBe(shapeFrom(pods, empty, after));
  expect(await ownersOf(inside)).not.toEqual(await ownersOf(after));
});

test('large objects have none', async () => {
  const many = Array.from({ length: 400 }, (_, index) => ({ name: `c${index}`, image: 'i' }));
  expect(shapeFrom(pods, empty, pod({ containers: many }))).toBeUndefined();
  expect(shapeFrom(pods, empty, pod({ containers: container(80) }, { ['x'.repeat(2_000)]: '' }))).toBeUndefined();
  expect(await ownersOf(pod({ containers: many }))).toBeDefined();
});

test('all shapes are forgotten once they take much memory', () => {
  const few = new Shapes<string>(10_000);
  const of = (label: string): Shape<string> | undefined =>
    few.of(1, pods, { base: empty, value: pod({ containers: container(80) }, { [label]: '' }) });
  const first = of('first');
  expect(of('first')).toBe(first);
  for (let index = 0; index < 100; index++) of(`other-${index}`);
  expect(of('first')).not.toBe(first);
});

test('keys that are written differently are not taken for equal', () => {
  const ports = (containerPort: number): JsonObject => pod({ containers: container(containerPort) });
  expect(shapeFrom(pods, empty, ports(0))).toBeDefined();
  expect(shapeFrom(pods, empty, ports(-0))).toBeUndefined();
});

test('values count where the empty object has some', () => {
  const status = mergeTypeOf(schemaOfKind({ group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' }));
  const before = { status: { currentHealthy: 0 } };
  const shapeOf = (currentHealthy: number): Shape<string> | undefined =>
    shapeFrom(status, before, { status: { currentHealthy } });
  expect(shapeOf(0)).not.toBe(shapeOf(3));
  expect(shapeOf(4)).toBe(shapeOf(3));
});
