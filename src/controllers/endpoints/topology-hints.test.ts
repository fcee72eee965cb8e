import { expect, test } from 'vitest';
import type { Endpoint } from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import type { SlicePlan, StoredSlice } from './slice-plan.ts';
import { TopologyHints } from './topology-hints.ts';
import type { StoredNode } from './zone-shares.ts';

function node(zone: string, cpu: string, labels = {}): StoredNode {
  const metadata = { name: `of ${zone}`, labels: { 'topology.kubernetes.io/zone': zone, ...labels } };
  const status = { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { cpu } };
  return { apiVersion: 'v1', kind: 'Node', metadata, status };
}

function sliceIn(...zones: readonly string[]): StoredSlice {
  const endpoints = zones.map((zone, index): Endpoint => ({
    addresses: [String(index)],
    conditions: { ready: true },
    zone,
  }));
  return { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 's' }, endpoints };
}

function hinted(hints: TopologyHints, slice: StoredSlice) {
  const plan: SlicePlan = { create: [slice], update: [], delete: [] };
  const result = hints.add({ key: 'n/s', addressType: 'IPv4', plan, unchanged: [] });
  const zones = (slice.endpoints ?? []).map(({ hints: own }) => own?.forZones?.[0]?.name);
  return { told: result?.message, zones };
}

test('endpoints are shared among zones by their processors', () => {
  const hints = new TopologyHints();
  hints.setNodes([node('a', '3'), node('b', '3'), node('c', '500m', { 'node-role.kubernetes.io/control-plane': '' })]);
  expect(hinted(hints, sliceIn('a', 'a', 'b', 'b'))).toEqual({
    told: 'Topology Aware Hints has been enabled, addressType: IPv4',
    zones: ['a', 'a', 'b', 'b'],
  });
  expect(hinted(hints, sliceIn('a', 'a', 'a', 'b'))).toEqual({ told: undefined, zones: ['b', 'a', 'a', 'b'] });
  expect(hints.remove('n/s', 'IPv4')?.message).toBe('Topology Aware Hints has been disabled, addressType: IPv4');
  expect(hints.remove('n/s', 'IPv4')).toBe(undefined);
});

test.for([
  [
    [node('a', '1')],
    ['a', 'a'],
    'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
  ],
  [
    [node('a', '1'), node('b', '0')],
    ['a', 'b'],
    'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
  ],
  [[node('a', '1'), node('b', '1')], ['a'], 'Insufficient number of endpoints (1 endpoints, 2 zones)'],
  [
    [node('a', '1'), node('b', '9')],
    ['a', 'b'],
    'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (2 endpoints, 2 zones)',
  ],
  [[node('a', '1'), node('b', '1')], ['a', ''], 'One or more endpoints do not have a zone specified'],
] as const)('no hints: %#', ([nodes, zones, why]) => {
  const hints = new TopologyHints();
  hints.setNodes(nodes);
  expect(hinted(hints, sliceIn(...zones))).toEqual({
    told: `${why}, addressType: IPv4`,
    zones: zones.map(() => undefined),
  });
});

test('services are looked at again when nodes change so that a zone has too few endpoints', () => {
  const hints = new TopologyHints();
  hints.setNodes([node('a', '2'), node('b', '2')]);
  hinted(hints, sliceIn('a', 'a', 'b', 'b'));
  expect(hints.setNodes([node('a', '2'), node('b', '2')])).toEqual([]);
  expect(hints.setNodes([node('a', '9'), node('b', '1')])).toEqual(['n/s']);
  expect(hints.setNodes([node('a', '2')])).toEqual(['n/s']);
});
