import { allOf } from '../api/errors/findings.ts';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { Strategy } from '../registry/kinds/strategy.ts';
import { writeContext } from '../registry/kinds/testdata/write-context.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import { builtInKind } from './kind-table.ts';
import { kindEnvironment } from './testdata/kind-environment.ts';

const context = writeContext();

function strategyOf(key: string): Strategy {
  const [group = '', kind = ''] = key.split('/');
  const resource = builtInResources().find((each) => each.group === group && each.kind === kind);
  if (resource === undefined) throw new Error(`${key} is not known`);
  return builtInKind(group, kind).behaviourIn(kindEnvironment()).strategyOf(resource);
}

function warningsOf(kind: string, rest: object, name = 'a'): readonly string[] {
  const object: KubernetesObject = { apiVersion: 'v1', kind: 'Any', metadata: { name }, ...rest };
  return allOf(strategyOf(kind).warnings?.(object, context) ?? []);
}

test('names that are not valid host names', () => {
  expect(warningsOf('/Pod', {}, 'a.b')).toEqual([
    `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]`,
  ]);
  expect(warningsOf('/Pod', {})).toEqual([]);
});

test('variables that hide others, unless they refer to them', () => {
  const env = ['1', '2', '$(A)3', '$(A)'].map((value) => ({ name: 'A', value }));
  const text = 'hides previous definition of "A", which may be dropped when using apply';
  expect(warningsOf('/Pod', { spec: { containers: [{ name: 'c', env }] } })).toEqual([
    `spec.containers[0].env[1]: ${text}`,
    `spec.containers[0].env[3]: ${text}`,
  ]);
});

test('overlapping ports', () => {
  const ports = [
    { containerPort: 80, protocol: 'TCP' },
    { containerPort: 80, protocol: 'TCP', hostPort: 81 },
    { containerPort: 80, protocol: 'TCP', hostPort: 81, hostIP: '1.2.3.4' },
  ];
  const path = 'spec.containers[0].ports';
  expect(warningsOf('/Pod', { spec: { containers: [{ ports }] } })).toEqual([
    `${path}[1]: overlapping port definition with ${path}[0]`,
    `${path}[2]: overlapping port definition with ${path}[0]`,
    `${path}[2]: dangerously ambiguous port definition with ${path}[1]`,
  ]);
});

test('templates are checked under their own path, and again when the generation changes', () => {
  const spec = { template: { spec: { overhead: { memory: '1500m' }, volumes: [{ name: 's', storageos: {} }] } } };
  const expected = [
    'spec.template.spec.volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+',
    'spec.template.spec.overhead[memory]: fractional byte value "1500m" is invalid, must be an integer',
  ];
  expect(warningsOf('apps/DaemonSet', { spec })).toEqual(expected);
  const at = (generation: number): KubernetesObject => ({ apiVersion: '', kind: '', metadata: { generation } });
  const warnings = strategyOf('apps/DaemonSet');
  const updated = (generation: number): string[] =>
    allOf(warnings.updateWarnings?.({ ...at(generation), spec } as KubernetesObject, at(1), context) ?? []);
  expect(updated(2)).toEqual(expected);
  expect(updated(1)).toEqual([]);
});

test('services, volumes, runtime classes', () => {
  expect(warningsOf('/Service', { spec: { type: 'ClusterIP', trafficDistribution: 'PreferClose' } })).toEqual([
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ]);
  expect(warningsOf('/PersistentVolume', { spec: { rbd: {}, flocker: {} } })).toEqual([
    'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
  ]);
  expect(
    warningsOf('node.k8s.io/RuntimeClass', { scheduling: { nodeSelector: { 'beta.kubernetes.io/os': '' } } }),
  ).toEqual(['scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead']);
});
