import { afterAll, describe, expect, test } from 'vitest';
import { formatApiVersion } from '../../src/api/group-version.ts';
import type { JsonObject, JsonValue } from '../../src/api/json.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { WriteContext } from '../../src/registry/strategy.ts';
import { builtInDefaults } from '../../src/resources/built-in-defaults.ts';
import { builtInStrategies } from '../../src/resources/built-in-strategies.ts';
import { loadTables } from '../../src/resources/load-tables.ts';
import { tableRow } from '../../src/resources/table-rows.ts';
import { DecodeError } from '../../src/schema/decode-errors.ts';
import { decodePlain } from '../../src/schema/decode.ts';
import { applyDefaults } from '../../src/schema/default.ts';
import { encodeJson, encodeWithoutVersion } from '../../src/schema/encode-json.ts';
import { encodeStored } from '../../src/schema/encode-stored.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { wireForm } from '../../src/schema/wire-form.ts';
import { allBases, type Base } from './bases.ts';
import { hostileTexts } from './hostile-values.ts';
import { casesOf, oneOf, objectOf } from './cases.ts';
import { placesOf } from './places.ts';
import { putValue } from './put-value.ts';

// Every part of a write that is no I/O, done to a sample of the walk through all kinds: nothing throws but a refusal. Longer walks
// are for `main.ts`.

/** One of so many cases. */
const every = Number(process.env['WALK_EVERY'] ?? 100);
const strategies = builtInStrategies();
const { builtInTables, defaultTable } = await loadTables();
const bases = allBases().filter(({ resource: { group, version, storage } }) => {
  return storage?.version === version && storage.group === group;
});
let walked = 0;

function write({ resource }: Base, written: JsonObject, before: JsonObject): void {
  const { group, version, kind, schema } = resource;
  const decoded = (object: JsonValue): KubernetesObject => {
    const value = {
      metadata: {},
      ...decodePlain(schema, object).object,
      apiVersion: formatApiVersion(group, version),
      kind,
    };
    applyDefaults(schema, value, builtInDefaults);
    return value as unknown as KubernetesObject; // decoded by the schema of its kind
  };
  const context: WriteContext = {
    nowMs: 0,
    requestGroup: group,
    requestVersion: version,
    user: { name: 'walker', uid: '', groups: [], extra: {} },
  };
  const strategy = strategies.get(`${group}/${kind}`) ?? {};
  const [created, old] = [decoded(written), decoded(before)];
  strategy.prepareForCreate?.(created, context);
  strategy.validate?.(created, context);
  strategy.warnings?.(created, context);
  for (const part of [strategy, ...Object.values(strategy.subresources ?? {})]) {
    const updated = decoded(written);
    part.prepareForUpdate?.(updated, old, context);
    part.validateUpdate?.(updated, old, context);
    part.updateWarnings?.(updated, old, context);
    storeAll(schema, [updated]);
  }
  storeAll(schema, [created, old]);
  const object = decoded(written);
  for (const field of Object.values(strategy.selectableFields ?? {})) field(object);
  tableRow(builtInTables.get(`${group}/${kind}`) ?? defaultTable, object, { nowMs: 0 });
  encodeJson(schema, object as unknown as JsonValue);
  wireForm(schema, object as unknown as JsonObject);
}

/** However a strategy leaves an object, it is stored as the exact encoder writes it. */
function storeAll(schema: Schema, objects: readonly KubernetesObject[]): void {
  for (const object of objects as unknown as readonly JsonObject[]) {
    expect(encodeStored(schema, object).toString()).toBe(encodeWithoutVersion(schema, object).toString());
  }
}

test.each(bases)('nothing in a $label is more than refused', (base) => {
  const failures: string[] = [];
  for (const id of casesOf(base, oneOf(every), ['create'])) {
    walked += 1;
    try {
      write(base, objectOf(base, id), base.object);
    } catch (error) {
      if (error instanceof DecodeError) continue;
      failures.push(
        `${id.place} ${id.surroundings} ${id.value}: ${error instanceof Error ? error.stack : String(error)}`,
      );
    }
  }
  expect(failures.join('\n')).toBe('');
});

afterAll(() => {
  expect(walked).toBeGreaterThan(1_000);
});

describe('the walk', () => {
  test('reaches what is deep inside', () => {
    const pod = bases.find(({ label }) => label === 'v1/pods');
    const paths = placesOf(pod?.resource.schema ?? { type: 'any', goType: '' }).map(({ path }) => path.join('/'));
    const affinity = 'spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/preference';
    expect(paths).toContain(`${affinity}/matchExpressions/0/values/0`);
    expect(paths.length).toBeGreaterThan(1_000);
  });

  test('puts a value in its place, with and without what stands beside it', () => {
    const leaf = { type: 'string', goType: 'string' } as const;
    const place = { path: ['a', 0, '__proto__'], schema: leaf, parents: [leaf, leaf, leaf] };
    const object = { a: [{ b: 1 }, 2], c: 3 };
    const put = (surroundings: 'sparse' | 'bare'): string =>
      JSON.stringify(putValue(object, place, { value: null, surroundings, fill: () => ({}) }));
    expect(put('sparse')).toBe('{"a":[{"b":1,"__proto__":null},2],"c":3}');
    expect(put('bare')).toBe('{"a":[{"__proto__":null},2],"c":3}');
  });

  test('has values that inherit nothing', () => {
    expect(hostileTexts).toContain('{"__proto__":null}');
    expect(({} as JsonObject)['a']).toBeUndefined();
  });
});
