import { describe, expect, it, vi } from 'vitest';
import { longestStepRatio } from '../../test/cpu-time.ts';
import { noteHuge } from '../api/huge-objects.ts';
import type { JsonObject } from '../api/json.ts';
import { finish } from '../api/turns.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import { wireForm, wireFormInTurns } from '../schema/wire-form.ts';
import { applyWithOwners } from './apply.ts';
import { managedAfterUpdate, type ManagedKind, type ManagedObject } from './field-manager.ts';
import { mergeTypeOf } from './schema-type.ts';

// Objects of 0.5 MB: no step of their ownership tracking blocks the thread for long.

/** Of a typical machine, half of what objects of 1 MB may take. */
const boundMs = 25;
// Its CPU time is measured; a busy machine may take long.
vi.setConfig({ testTimeout: 300_000 });
const now = '2026-01-01T00:00:00Z';
const schema = schemaOfKind({ group: '', version: 'v1', kind: 'Pod' });
if (schema === undefined) throw new Error('no schema of pods');
const kind: ManagedKind = {
  kind: { group: '', version: 'v1', kind: 'Pod' },
  subresource: '',
  type: mergeTypeOf(schema),
  filterOf: () => undefined,
  convert: (object) => object,
};

function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

function pod(metadata: JsonObject, spec: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'large', uid: 'u', ...metadata }, spec };
}

function withLabels(value: string): JsonObject {
  // Unsorted, to require sorting.
  const labels = Object.fromEntries(list(25_000, (index) => [`k${(index * 7919) % 25_000}`, value]));
  noteHuge(labels, 'k0');
  return pod({ labels }, {});
}

function withFinalizers(value: string): JsonObject {
  return pod({ finalizers: list(25_000, (index) => `${value}/${index}`) }, {});
}

function withPorts(name: string): JsonObject {
  const ports = list(5_500, (index) => ({ containerPort: index, name: `${name}${index}` }));
  return pod({}, { containers: [{ name: 'c', ports }] });
}

function withContainers(image: string): JsonObject {
  return pod({}, { containers: list(8_500, (index) => ({ name: `c${index}`, image })) });
}

function withTolerations(value: string): JsonObject {
  return pod({}, { tolerations: list(5_000, (index) => ({ key: `k${index}`, value })) });
}

const objects: { readonly [what: string]: (value: string) => JsonObject } = {
  'a map': withLabels,
  'a set': withFinalizers,
  'a list by two keys': withPorts,
  'a list of objects': withContainers,
  'an atomic list': withTolerations,
};

const empty = { object: wireForm(schema, { apiVersion: 'v1', kind: 'Pod', metadata: {} }), entries: undefined };

describe.each(Object.entries(objects))('%s of thousands is processed in short steps', (_, make) => {
  const [before, after] = [wireForm(schema, make('a')), wireForm(schema, make('b'))];
  const write = { manager: 'one', now };
  const create = { ...write, live: empty, updated: { object: before, entries: undefined } };
  const live: ManagedObject = { object: before, entries: finish(managedAfterUpdate(kind, create)) };

  it('in converting it to the served form', () => {
    const object = make('a');
    expect(longestStepRatio(() => wireFormInTurns(schema, object), boundMs)).toBeLessThan(1);
  });
  it('when it is created', () => {
    expect(longestStepRatio(() => managedAfterUpdate(kind, create), boundMs)).toBeLessThan(1);
  });
  it('when it is updated', () => {
    const update = { live, updated: { object: after, entries: undefined }, manager: 'two', now };
    expect(longestStepRatio(() => managedAfterUpdate(kind, update), boundMs)).toBeLessThan(1);
  });
  it('when it is applied', () => {
    const apply = { live, empty: empty.object, patch: make('b'), manager: 'two', force: true, now };
    expect(longestStepRatio(() => applyWithOwners(kind, apply), boundMs)).toBeLessThan(1);
  });
});
