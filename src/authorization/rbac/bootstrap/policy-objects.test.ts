import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../api/json/json.ts';
import { encodeForStorage } from '../../../codec/stored-object.ts';
import type { ClusterRole } from '../../../schema/kubernetes/generated/types/rbac-v1.ts';
import { schemaByName } from '../../../schema/kubernetes/definitions.ts';
import { bootstrapPolicy } from './policy-objects.ts';

const gatedInAll = [
  'CompositePodGroup',
  'CSIVolumeHealth',
  'DRAResourcePoolStatus',
  'DRAWorkloadResourceClaims',
  'EvictionRequestAPI',
  'GenericWorkload',
  'StorageVersionAPI',
  'WorkloadWithJob',
];

const gatedByDefault = ['DRADeviceTaintRules', 'KubeletServiceAccountTokenForCredentialProviders'];

/** The reference's objects, by kind, namespace and name. */
function recorded(name: string): ReadonlyMap<string, ClusterRole> {
  const text = readFileSync(new URL(`testdata/${name}.json`, import.meta.url), 'utf8');
  return byName(JSON.parse(text) as ClusterRole[]);
}

function byName(objects: readonly ClusterRole[]): ReadonlyMap<string, ClusterRole> {
  return new Map(
    objects.map((object) => {
      const { rules, ...rest } = object;
      const { namespace = '', name = '' } = object.metadata ?? {};
      // Empty rules show up as null or not at all.
      const shown = rules === undefined || rules === null || rules.length === 0 ? rest : object;
      return [`${object.kind} ${namespace}/${name}`, shown];
    }),
  );
}

test.each([
  ['default', []],
  ['all', gatedInAll],
])('the policy of a server with %s gates is that of the reference', (name, gates) => {
  const { roles, bindings } = bootstrapPolicy(new Map([...gatedByDefault, ...gates].map((gate) => [gate, true])));
  expect(byName([...roles, ...bindings])).toEqual(recorded(name));
});

test('objects are in the order in which they are stored, so that a start finds them unchanged without reading them', () => {
  const { roles, bindings } = bootstrapPolicy(new Map(gatedInAll.map((gate) => [gate, true])));
  for (const object of [...roles, ...bindings] as readonly JsonObject[]) {
    const schema =
      schemaByName(`io.k8s.api.rbac.v1.${object['kind'] as string}`) ?? expect.fail('there is no such kind');
    const stored = encodeForStorage(schema, object).toString();
    const { metadata, ...fields } = object;
    for (const [name, value] of Object.entries({ ...fields, ...(metadata as JsonObject) })) {
      expect(stored).toContain(`"${name}":${JSON.stringify(value)}`);
    }
  }
});
