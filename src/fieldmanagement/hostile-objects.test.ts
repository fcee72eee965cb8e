import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { applyWithOwners, type ApplyResult } from './apply.ts';
import { type ManagedKind, managedAfterUpdate } from './field-manager.ts';
import { deducedType } from './merge-type.ts';
import { FieldPathError, parsePathElement } from './path-element.ts';
import { kindOf } from './testdata/core-kinds.ts';

// Objects of the maximum body size, and managedFields that clients may send.

const now = '2026-01-01T00:00:00Z';

function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

function objectOf(kind: string, rest: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind, ...rest };
}

function withData(count: number, value: string): JsonObject {
  const data = Object.fromEntries(list(count, (index) => [`k${index}`, value]));
  return objectOf('ConfigMap', { metadata: { name: 'c', uid: 'u' }, data });
}

function withFinalizers(count: number, value: string): JsonObject {
  const finalizers: JsonValue = list(count, (index) => `${value}/f${index}`);
  return objectOf('ConfigMap', { metadata: { name: 'c', uid: 'u', finalizers } });
}

function withEnvironment(count: number, value: string): JsonObject {
  const env: JsonValue = list(count, (index) => ({ name: `E${index}`, value }));
  return objectOf('Pod', { metadata: { name: 'c', uid: 'u' }, spec: { containers: [{ name: 'c', env }] } });
}

interface Applied {
  readonly patch: JsonObject;
  readonly manager: string;
  readonly before?: ApplyResult;
  readonly force?: boolean;
}

function apply(kind: string, { patch, manager, before, force = false }: Applied): Promise<ApplyResult> {
  const empty = objectOf(kind, { metadata: {} });
  const live = { object: before?.object ?? empty, entries: before?.entries };
  return applyWithOwners(kindOf(kind), { live, empty, patch, manager, force, now });
}

describe('an object with thousands of parts', () => {
  it.each([
    ['a map', 'ConfigMap', withData],
    ['a set', 'ConfigMap', withFinalizers],
    ['a list by keys', 'Pod', withEnvironment],
  ] as const)('is owned in time in proportion to them: %s', async (what, kind, make) => {
    const startMs = performance.now();
    const first = await apply(kind, { patch: make(4_000, 'a'), manager: 'one' });
    const second = await apply(kind, { patch: make(2_000, 'a'), manager: 'one', before: first });
    expect(second.entries).toHaveLength(1);
    const other = { patch: make(4_000, 'b'), manager: 'two', before: first };
    if (what !== 'a set') await expect(apply(kind, other)).rejects.toThrow('Apply failed with 4000 conflicts');
    expect((await apply(kind, { ...other, force: true })).object).toBeDefined();
    const live = { object: first.object ?? {}, entries: first.entries };
    const updated = { object: make(4_000, 'c'), entries: first.entries };
    await managedAfterUpdate(kindOf(kind), { live, updated, manager: 'three', now });
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });

  it('is refused with all duplicates', async () => {
    const containers = list(200_000, () => ({ name: 'c' }));
    const patch = objectOf('Pod', { metadata: { name: 'p' }, spec: { containers } });
    await expect(apply('Pod', { patch, manager: 'one' })).rejects.toThrow(
      /^failed to create typed patch object \(\/p; \/v1, Kind=Pod\): errors:\n {2}\.spec\.containers: duplicate entries/,
    );
  });
});

describe('thousands of managers', () => {
  const count = 10_000;
  const entries = (operation: string): JsonObject[] =>
    list(count, (index) => ({
      manager: `m${index}`,
      operation,
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:k${index}`]: {} } },
    }));

  it('of updates are merged at once', async () => {
    const startMs = performance.now();
    const live = { object: withData(10, 'a'), entries: undefined };
    const updated = { object: withData(10, 'b'), entries: entries('Update') };
    const after = (await managedAfterUpdate(kindOf('ConfigMap'), { live, updated, manager: 'last', now })) ?? [];
    expect(after).toHaveLength(10);
    const joined = after.find(({ manager }) => manager === 'ancient-changes')?.['fieldsV1'];
    expect(Object.keys((joined as JsonObject)['f:data'] as JsonObject)).toHaveLength(9_982);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('of applies are processed one by one', async () => {
    const startMs = performance.now();
    const before = { object: withData(count, 'a'), entries: entries('Apply') };
    const patch = { ...withData(count, 'b'), metadata: { name: 'c' } };
    await expect(apply('ConfigMap', { patch, manager: 'new', before })).rejects.toThrow(`with ${count} conflicts`);
    const after = await apply('ConfigMap', { patch: withData(5, 'a'), manager: 'm3', before });
    expect(after.entries).toHaveLength(count);
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });
});

describe('a value that nests deeper than the stack', () => {
  const kind: ManagedKind = { ...kindOf('ConfigMap'), type: deducedType, isLoose: true };
  const empty = objectOf('ConfigMap', { metadata: {} });
  const configured = (data: JsonObject): JsonObject => objectOf('ConfigMap', { metadata: { name: 'c' }, data });
  const nested = (value: string): JsonObject => {
    let data: JsonObject = { value };
    for (let level = 0; level < 12_000; level++) data = { a: data, b: { c: [] } };
    return data;
  };
  const given = (patch: JsonObject, manager: string, before?: ApplyResult): Promise<ApplyResult> => {
    const live = { object: before?.object ?? empty, entries: before?.entries };
    return applyWithOwners(kind, { live, empty, patch, manager, force: false, now });
  };
  const conflict = `Apply failed with 1 conflict: conflict with "one": .data${'.a'.repeat(12_000)}.value`;

  it('is applied, owned, updated, and removed when it is applied no more', async () => {
    const first = await given(configured(nested('x')), 'one');
    expect((await given(configured(nested('x')), 'one', first)).object === undefined).toBe(true);
    const refused: unknown = await given(configured(nested('y')), 'two', first).catch((error: unknown) => error);
    expect((refused as Error).message === conflict).toBe(true);
    const live = { object: first.object ?? {}, entries: first.entries };
    const updated = { object: configured(nested('z')), entries: first.entries };
    const entries = await managedAfterUpdate(kind, { live, updated, manager: 'three', now });
    expect(entries?.length).toBe(2);
    const { object } = await given(configured({ d: '1' }), 'one', first);
    expect(object).toEqual(configured({ d: '1' }));
  });
});

it.each(['9223372036854775808', '9'.repeat(1_000_000)])('a place in a list that no integer holds is none', (index) => {
  expect(() => parsePathElement(`i:${index}`)).toThrow(FieldPathError);
});
