import type { JsonObject } from '../../../../src/api/json/json.ts';
import { ago, minute, samplesOf } from '../sample.ts';

function version(name: string, served: boolean, storage: boolean): JsonObject {
  return { name, served, storage, schema: { openAPIV3Schema: { type: 'object' } } };
}

function definition(plural: string, names: JsonObject, spec: JsonObject): { name: string; body: JsonObject } {
  return {
    name: `${plural}.tables.example.com`,
    body: { spec: { group: 'tables.example.com', names: { plural, ...names }, ...spec } },
  };
}

const servers = ['a', 'b', 'c', 'd'].map((apiServerID) => ({
  apiServerID,
  encodingVersion: 'v1',
  decodableVersions: ['v1'],
}));
const agreed = {
  type: 'AllEncodingVersionsEqual',
  status: 'True',
  reason: 'Equal',
  message: 'm',
  lastTransitionTime: ago(minute),
};

function migrated(type: string, status = 'True'): JsonObject {
  return { type, status, reason: 'Migration', message: 'm', lastTransitionTime: ago(minute) };
}

const resource = { spec: { resource: { group: 'example.com', resource: 'things' } } };
const level = { limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 50 } } };

export const extensionSamples = [
  ...samplesOf('apiextensions.k8s.io/v1/customresourcedefinitions', [
    definition('widgets', { kind: 'Widget' }, { scope: 'Namespaced', versions: [version('v1', true, true)] }),
    definition(
      'gadgets',
      { kind: 'Gadget', shortNames: ['gd', 'gad'] },
      {
        scope: 'Cluster',
        versions: [version('v2', true, true), version('v1', true, false), version('v0', false, false)],
      },
    ),
    definition('gizmos', { kind: 'Widget' }, { scope: 'Namespaced', versions: [version('v1', true, true)] }),
  ]),
  ...samplesOf('apiregistration.k8s.io/v1/apiservices', [
    {
      name: 'v1.remote.example.com',
      body: {
        spec: {
          group: 'remote.example.com',
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { namespace: 'tables', name: 'absent' },
        },
      },
    },
    {
      name: 'v1.local.example.com',
      body: { spec: { group: 'local.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 } },
    },
  ]),
  ...samplesOf('flowcontrol.apiserver.k8s.io/v1/flowschemas', [
    { body: { spec: { priorityLevelConfiguration: { name: 'absent' }, matchingPrecedence: 777 } } },
    {
      name: 'also-777',
      body: {
        spec: {
          priorityLevelConfiguration: { name: 'global-default' },
          matchingPrecedence: 777,
          distinguisherMethod: { type: 'ByNamespace' },
        },
      },
    },
  ]),
  ...samplesOf('flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations', [
    {
      body: { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } } } },
    },
    { body: { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 7, ...level } } } },
  ]),
  ...samplesOf('internal.apiserver.k8s.io/v1alpha1/storageversions', [
    { name: 'example.com.a', body: { spec: {} } },
    {
      name: 'example.com.b',
      body: { spec: {} },
      status: { commonEncodingVersion: 'v1', storageVersions: servers.slice(0, 2), conditions: [agreed] },
    },
    {
      name: 'example.com.c',
      body: { spec: {} },
      status: { commonEncodingVersion: 'v1', storageVersions: servers, conditions: [agreed] },
    },
  ]),
  ...samplesOf('storagemigration.k8s.io/v1/storageversionmigrations', [
    { body: resource },
    { body: { spec: { resource: { resource: 'pods' } } }, status: { conditions: [migrated('Running')] } },
    { body: resource, status: { conditions: [migrated('Running', 'False'), migrated('Succeeded')] } },
    { body: resource, status: { conditions: [migrated('Failed')] } },
  ]),
  ...samplesOf('coordination.k8s.io/v1/leases', [
    { body: { spec: {} } },
    { body: { spec: { holderIdentity: 'node-1', leaseDurationSeconds: 5 } } },
  ]),
  ...samplesOf('coordination.k8s.io/v1beta1/leasecandidates', [
    {
      body: {
        spec: {
          leaseName: 'l',
          binaryVersion: '1.37.0',
          emulationVersion: '1.36.0',
          strategy: 'OldestEmulationVersion',
        },
      },
    },
  ]),
  ...samplesOf('node.k8s.io/v1/runtimeclasses', [{ body: { handler: 'runc' } }]),
];
