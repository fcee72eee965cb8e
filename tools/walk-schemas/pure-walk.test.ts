import { afterAll, describe, expect, test } from 'vitest';
import { allOf } from '../../src/api/errors/findings.ts';
import { formatApiVersion } from '../../src/api/meta/group-version.ts';
import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import type { KubernetesObject } from '../../src/api/meta/object.ts';
import { writeContext } from '../../src/registry/kinds/testdata/write-context.ts';
import { builtInKind } from '../../src/resources/kind-table.ts';
import { kindEnvironment, withoutAllocation } from '../../src/resources/testdata/kind-environment.ts';
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

// Every part of a write without I/O, run on a sample of the walk through all kinds: nothing throws except refusals.
// `main.ts` runs longer walks.

/** One in this many cases. */
const every = Number(process.env['WALK_EVERY'] ?? 200);
const bases = allBases().filter(({ resource: { group, version, storage } }) => {
  return storage?.version === version && storage.group === group;
});
const environment = kindEnvironment();
let walked = 0;

async function write({ resource }: Base, written: JsonObject, before: JsonObject): Promise<void> {
  const { group, version, kind, schema } = resource;
  const behaviour = builtInKind(group, kind).behaviourIn(environment);
  const decoded = (object: JsonValue): KubernetesObject => {
    const value = {
      metadata: {},
      ...decodePlain(schema, object).object,
      apiVersion: formatApiVersion(group, version),
      kind,
    };
    const typed = value as unknown as KubernetesObject; // decoded by the schema of its kind
    applyDefaults(schema, typed, behaviour.defaulters);
    return typed;
  };
  const context = writeContext(group, version);
  const strategy = withoutAllocation(resource, behaviour.strategyOf(resource));
  const scope = { dryRun: true, context };
  const [created, old] = [decoded(written), decoded(before)];
  await strategy.beginCreate?.(created, scope);
  strategy.prepareForCreate?.(created, context);
  allOf(strategy.validate?.(created, context) ?? []);
  allOf(strategy.warnings?.(created, context) ?? []);
  for (const part of [strategy, ...Object.values(strategy.subresources ?? {})]) {
    const updated = decoded(written);
    // oxlint-disable-next-line no-await-in-loop -- one part after the other, as a walk
    if (part === strategy) await strategy.beginUpdate?.(updated, old, scope);
    part.prepareForUpdate?.(updated, old, context);
    allOf(part.validateUpdate?.(updated, old, context) ?? []);
    allOf(part.updateWarnings?.(updated, old, context) ?? []);
    storeAll(schema, [updated]);
  }
  storeAll(schema, [created, old]);
  const object = decoded(written);
  for (const field of Object.values(strategy.selectableFields ?? {})) field(object);
  tableRow(await behaviour.tableOf(resource), object, { nowMs: 0 });
  encodeJson(schema, object as unknown as JsonValue);
  wireForm(schema, object as unknown as JsonObject);
}

/** Whatever a strategy leaves of an object, it is stored as the exact encoder would write it. */
function storeAll(schema: Schema, objects: readonly KubernetesObject[]): void {
  for (const object of objects as unknown as readonly JsonObject[]) {
    expect(encodeStored(schema, object).toString()).toBe(encodeWithoutVersion(schema, object).toString());
  }
}

test.each(bases)('nothing in a $label has worse than a refusal', async (base) => {
  const failures: string[] = [];
  for (const id of casesOf(base, oneOf(every), ['create'])) {
    walked += 1;
    try {
      await write(base, objectOf(base, id), base.object);
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
  test('reaches deeply nested values', () => {
    const pod = bases.find(({ label }) => label === 'v1/pods');
    const paths = placesOf(pod?.resource.schema ?? { type: 'any', goType: '' }).map(({ path }) => path.join('/'));
    const affinity = 'spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/preference';
    expect(paths).toContain(`${affinity}/matchExpressions/0/values/0`);
    expect(paths.length).toBeGreaterThan(1_000);
  });

  test('puts a value at its place, with and without surroundings', () => {
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
