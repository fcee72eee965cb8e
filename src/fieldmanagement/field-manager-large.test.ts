import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../api/json/json.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import { applyWithOwners, type ApplyResult } from './apply.ts';
import { compareTyped } from './compare.ts';
import type { ManagedKind } from './field-manager.ts';
import { emptySet } from './field-set.ts';
import { writeFieldsV1 } from './fields-v1.ts';
import { decodeManaged, managerId } from './managed-entries.ts';
import type { TypedValue } from './merge-type.ts';
import { mergeTypeOf } from './schema-type.ts';
import { extractFields } from './testdata/extract.ts';
import { kindOf } from './testdata/core-kinds.ts';
import { largeObject } from './testdata/large-objects.ts';
import { typedValue } from './validate.ts';

// Cases of the reference's field manager that are generated rather than written out.

interface Applied {
  readonly kind: ManagedKind;
  readonly patch: JsonObject;
  readonly manager: string;
  readonly before?: ApplyResult;
}

function apply({ kind, patch, manager, before }: Applied): Promise<ApplyResult> {
  const empty = { apiVersion: 'v1', kind: kind.kind.kind };
  const live = { object: before?.object ?? empty, entries: before?.entries };
  return applyWithOwners(kind, { live, empty, patch, manager, force: false, now: '2026-01-01T00:00:00Z' });
}

it('endpoints with a thousand addresses have few owned fields', async () => {
  const result = await apply({
    kind: kindOf('Endpoints'),
    patch: largeObject('endpoints'),
    manager: 'fieldmanager_test',
  });
  expect(result.object).toEqual(largeObject('endpoints'));
  expect(result.entries).toEqual([
    {
      manager: 'fieldmanager_test',
      operation: 'Apply',
      apiVersion: 'v1',
      time: '2026-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:metadata': { 'f:labels': { 'f:app': {} } }, 'f:subsets': {} },
    },
  ]);
});

it.each([
  ['equal', 'a.example', {}],
  ['modified', 'b.example', { 'f:subsets': {} }],
])('large atomic lists are %s as a whole', (_, last, modified) => {
  const endpoints = (hostname: string): TypedValue => {
    const addresses = Array.from({ length: 3_000 }, (__, index) => ({ ip: '10.0.0.1', hostname: `h${index}` }));
    const value = { subsets: [{ addresses: [...addresses, { ip: '10.0.0.2', hostname }] }] };
    return typedValue(kindOf('Endpoints').type, value, { allowDuplicates: false });
  };
  const comparison = compareTyped(endpoints('a.example'), endpoints(last));
  expect(writeFieldsV1(comparison.modified)).toEqual(modified);
  expect([comparison.added, comparison.removed]).toEqual([emptySet, emptySet]);
});

describe('what kubectl applied last', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const longKeys = (count: number): JsonObject => {
    const prefix = 'this-key-is-very-long-so-as-to-create-a-very-large-serialized-fieldset-';
    return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'A']));
  };
  const configMap = (data: JsonObject, annotations: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'large-update-test-cm',
      namespace: 'default',
      annotations: { [annotation]: 'nonempty', ...annotations },
    },
    data: { k: 'v', ...data },
  });
  const annotationsOf = (object: JsonObject | undefined): JsonObject => {
    const metadata = object?.['metadata'];
    const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
    return isJsonObject(annotations) ? annotations : {};
  };
  it.each([
    ['what is applied now is too large', configMap({}), configMap(longKeys(9999))],
    ['it is with all annotations', configMap(longKeys(2000)), configMap(longKeys(2000), longKeys(2000))],
  ])('is forgotten when %s', async (_, first, second) => {
    const kind = kindOf('ConfigMap');
    const before = await apply({ kind, patch: first, manager: 'kubectl' });
    const { [annotation]: text } = annotationsOf(before.object);
    expect(JSON.parse(typeof text === 'string' ? text : '')).toMatchObject({ kind: 'ConfigMap', data: { k: 'v' } });
    const after = annotationsOf((await apply({ kind, patch: second, manager: 'kubectl', before })).object);
    const { [annotation]: __, ...others } = annotationsOf(second);
    expect(after).toEqual(others);
  });
});

describe('extracting what a manager has applied', () => {
  const deployment = builtInResources().find(({ kind, version }) => kind === 'Deployment' && version === 'v1');
  const type = mergeTypeOf(deployment?.schema);
  const entry = (manager: string, fieldsV1: JsonObject, subresource = ''): JsonObject => ({
    manager,
    operation: 'Apply',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource === '' ? {} : { subresource }),
  });
  const replicas = { 'f:spec': { 'f:replicas': {} } };
  const paused = { 'f:spec': { 'f:paused': {} } };
  const rows: readonly (readonly [string, JsonObject, readonly JsonObject[], string, string, JsonObject])[] = [
    ['nobody of that name', { spec: { replicas: 1 } }, [entry('mgr999', replicas)], 'mgr1', '', {}],
    ['one', { spec: { replicas: 1 } }, [entry('mgr1', replicas)], 'mgr1', '', { spec: { replicas: 1 } }],
    [
      'one of two, where the field of the other is absent',
      { spec: { paused: true } },
      [entry('mgr1', replicas), entry('mgr2', paused)],
      'mgr2',
      '',
      { spec: { paused: true } },
    ],
    [
      'one of two',
      { spec: { replicas: 1, paused: true } },
      [entry('mgr1', replicas), entry('mgr2', paused)],
      'mgr2',
      '',
      { spec: { paused: true } },
    ],
    [
      'of a subresource',
      { status: { replicas: 1 } },
      [entry('mgr1', { 'f:status': { 'f:replicas': {} } }, 'status')],
      'mgr1',
      'status',
      { status: { replicas: 1 } },
    ],
  ];
  it.each(rows)('%s', (_, object, entries, manager, subresource, expected) => {
    const id = managerId({ manager, operation: 'Apply', apiVersion: 'v1', subresource });
    const owned = decodeManaged(entries).owners.get(id)?.set;
    const typed = typedValue(type, object, { allowDuplicates: false });
    expect(owned === undefined ? {} : extractFields(typed, owned.leaves()).value).toEqual(expected);
  });
});

describe('typing does not change an object', () => {
  const labels = { app: 'nginx' };
  const containers = [{ name: 'nginx', image: 'nginx:1.15.4' }];
  const workload = {
    metadata: { name: 'nginx-deployment', labels },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
  const objects: readonly JsonObject[] = [
    { apiVersion: 'apps/v1', kind: 'Deployment', ...workload },
    { apiVersion: 'extensions/v1beta1', kind: 'Deployment', ...workload },
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'nginx-pod', labels }, spec: { containers } },
  ];
  const schemas = builtInResources().filter(({ version }) => version === 'v1');
  it.each(objects)('$apiVersion $kind', (object) => {
    const { schema } = schemas.find(({ kind }) => kind === object['kind']) ?? {};
    for (const type of [mergeTypeOf(schema), mergeTypeOf(undefined)]) {
      expect(typedValue(type, object, { allowDuplicates: false }).value).toEqual(object);
    }
  });
});
