import { expect, it } from 'vitest';
import type { JsonObject } from '../../api/json/json.ts';
import { copyJson } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import { encodeKeepingTimes } from './managed-field-times.ts';
import { schemaCodec } from '../stored/schema-codec.ts';

const [before, now] = ['2026-01-01T00:00:00Z', '2026-02-02T00:00:00Z'];

function objectAt(
  time: string,
  { env = 'dev', data = { field: 'value' } as JsonObject, managers = ['client1'] },
): JsonObject {
  const managedFields = managers.map((manager) => ({
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:field': {} } },
  }));
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { env }, managedFields }, data };
}

const same = {};
it.each<readonly [string, Parameters<typeof objectAt>[1], Parameters<typeof objectAt>[1], boolean]>([
  ['nothing else', same, same, true],
  ['a label', same, { env: 'prod' }, false],
  ['a label of another length', same, { env: 'production' }, false],
  ['a value', { data: { field: 'value1' } }, { data: { field: 'value2' } }, false],
  ['a field less', { data: { field: 'value', other: 'other' } }, same, false],
  ['a field more', same, { data: { field: 'value', other: 'other' } }, false],
  ['another manager', same, { managers: ['client2'] }, false],
  ['one more manager', same, { managers: ['client1', 'client2'] }, false],
  ['several managers alike', { managers: ['client1', 'client2'] }, { managers: ['client1', 'client2'] }, true],
  ['no managers', { managers: [] }, { managers: [] }, true],
])('times differ, and %s', async (_, oldParts, newParts, isKept) => {
  const resource = builtInResources().find(({ kind, group }) => kind === 'ConfigMap' && group === '');
  if (resource === undefined) throw new Error('config maps are built in');
  const codec = schemaCodec(resource);
  // Built with the fields of one.
  const asObject = (object: JsonObject): KubernetesObject => copyJson(object) as unknown as KubernetesObject;
  const [old, object] = [asObject(objectAt(before, oldParts)), asObject(objectAt(now, newParts))];
  const bytes = codec.encode(old);
  const value = await encodeKeepingTimes(codec, object, { old, bytes });
  expect(value.equals(bytes)).toBe(isKept);
  const times = (object.metadata.managedFields ?? []).map(({ time }) => time);
  expect(times.every((time) => time === (isKept ? before : now))).toBe(true);
});
