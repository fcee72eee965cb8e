import { expect, test } from 'vitest';
import { controllerTable } from './controller-table.ts';

function hasWork(name: string, objects: readonly object[]): boolean | undefined {
  const row = controllerTable.find((each) => each.name === name) ?? expect.fail('there is no such controller');
  return row.hasWork?.(objects.map((object) => JSON.stringify(object)));
}

test('namespaces are work when they are being deleted', () => {
  const metadata = { name: 'a' };
  expect(hasWork('namespace-controller', [{ metadata }])).toBe(false);
  const deleted = { metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  expect(hasWork('namespace-controller', [{ metadata }, deleted])).toBe(true);
});

test('roles are work when one lacks what it gathers', () => {
  const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
  const gathering = {
    metadata: { name: 'all' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'all' } }] },
  };
  const part = { metadata: { name: 'part', labels: { part: 'all' } }, rules: [rule] };
  expect(hasWork('clusterrole-aggregation-controller', [part])).toBe(false);
  expect(hasWork('clusterrole-aggregation-controller', [part, { ...gathering, rules: null }])).toBe(true);
  expect(hasWork('clusterrole-aggregation-controller', [part, { ...gathering, rules: [rule] }])).toBe(false);
  expect(hasWork('clusterrole-aggregation-controller', [{ ...gathering, rules: [rule] }])).toBe(true);
});

test('Endpoints are work to mirror unless they say that they are not to be mirrored', () => {
  const own = { metadata: { name: 'kubernetes', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } };
  expect(hasWork('endpointslice-mirroring-controller', [own])).toBe(false);
  expect(hasWork('endpointslice-mirroring-controller', [own, { metadata: { name: 'others' } }])).toBe(true);
});

test('ranges of addresses are work until they are held and said to be ready', () => {
  const ready = { type: 'Ready', status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
  const finished = {
    metadata: { name: 'a', finalizers: ['networking.k8s.io/service-cidr-finalizer'] },
    status: { conditions: [ready] },
  };
  const deleted = { ...finished, metadata: { ...finished.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  expect(hasWork('service-cidr-controller', [finished])).toBe(false);
  expect(hasWork('service-cidr-controller', [finished, { ...finished, metadata: { name: 'b' } }])).toBe(true);
  expect(hasWork('service-cidr-controller', [{ ...finished, status: {} }])).toBe(true);
  expect(hasWork('service-cidr-controller', [deleted])).toBe(true);
});
