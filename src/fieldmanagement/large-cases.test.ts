import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import { writeFieldsV1 } from './fields-v1.ts';
import type { MergeType, TypedValue } from './merge-type.ts';
import { largeObject, largeType } from './testdata/large-objects.ts';
import { toFieldSet } from './to-field-set.ts';
import { applyConfiguration, type Ownerships, updateOwners } from './updater.ts';
import { typedValue } from './validate.ts';
import type { Managers, Ownership } from './managers.ts';

// Large real objects from the benchmarks of structured-merge-diff. Sets are recorded as digests of their text.

const core = 'io.k8s.api.core.v1';
const crd = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceDefinition';

/** `fields`: of an apply; `created`: of a creating update. */
const objects = {
  pod: { type: `${core}.Pod`, fields: '60ac1f1039855263', created: '3785b845996f6a0a' },
  node: { type: `${core}.Node`, fields: 'ecd5789b45457bf3', created: '3a3ebc222fa01ed6' },
  endpoints: { type: `${core}.Endpoints`, fields: '16719f54f86a74c8', created: 'fbdf29db7b193322' },
  crd: { type: crd, fields: 'c2bde176475f206e', created: 'a4c37b6a21a9ab93' },
  import: { type: 'apiresourceimport', fields: '9c23e7207a3eab0d', created: '87e3b60d488d14e4' },
} as const;

/** Fields marked granular again, like their types: none, some or all. */
const variants = [
  ...(['pod', 'node', 'endpoints', 'crd', 'import'] as const).map((name) => ({ name, granular: 'none' as const })),
  ...(['node', 'endpoints'] as const).flatMap((name) => [
    { name, granular: 'some' as const },
    { name, granular: 'all' as const },
  ]),
];

type Write = readonly ['apply' | 'update', manager: string, version: string];

const sameInAllVersions: Ownerships = { convert: (object) => object, filterOf: () => undefined };

async function ownersAfter(type: MergeType, object: JsonObject, writes: readonly Write[]): Promise<Managers> {
  let managers: Managers = new Map();
  let live: TypedValue = { type, value: null };
  for (const [operation, manager, apiVersion] of writes) {
    const given = typedValue(type, object, { allowDuplicates: operation === 'update' });
    const write = { live, apiVersion, managers, manager };
    if (operation === 'update') managers = await updateOwners(sameInAllVersions, write, given);
    else {
      const applied = await applyConfiguration(sameInAllVersions, write, { configuration: given, force: false });
      managers = applied.managers;
      if (applied.object !== undefined) expect(applied.object.value).toEqual(object);
    }
    live = { type, value: object };
  }
  return managers;
}

function shown(managers: Managers): object {
  const show = ({ set, apiVersion, applied }: Ownership) => ({ apiVersion, applied, digest: digestOf(set) });
  return Object.fromEntries([...managers].map(([name, ownership]) => [name, show(ownership)]));
}

function digestOf(set: Ownership['set']): string {
  const text = JSON.stringify(writeFieldsV1(set));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

describe.each(variants)('$name, $granular of its fields granular', ({ name, granular }) => {
  const { type: typeName, fields, created } = objects[name];
  const type = largeType(name === 'import' ? 'imports' : 'kubernetes', typeName, granular);
  const object = largeObject(name);
  const appliedOnce = { apiVersion: 'v1', applied: true, digest: fields };
  const updated = { controller: { apiVersion: 'v1', applied: false, digest: created } };

  it('has the recorded fields', () => {
    expect(digestOf(toFieldSet(typedValue(type, object, { allowDuplicates: false })))).toBe(fields);
  });
  it.each<readonly [string, readonly Write[], object]>([
    ['create', [['update', 'controller', 'v1']], updated],
    ['apply', [['apply', 'controller', 'v1']], { controller: appliedOnce }],
    [
      'the same apply by two',
      [
        ['apply', 'controller', 'v1'],
        ['apply', 'other-controller', 'v1'],
      ],
      { controller: appliedOnce, 'other-controller': appliedOnce },
    ],
    [
      'an update that changes nothing',
      [
        ['update', 'controller', 'v1'],
        ['update', 'other-controller', 'v1'],
      ],
      updated,
    ],
    [
      'the same in another version',
      [
        ['update', 'controller', 'v1'],
        ['update', 'other-controller', 'v2'],
      ],
      updated,
    ],
  ])('%s', async (_, writes, expected) => {
    expect(shown(await ownersAfter(type, object, writes))).toEqual(expected);
  });
});
