import { expect, test } from 'vitest';
import type { AdmissionAttributes, AdmissionPlugin } from '../../api/contracts/admission.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { priority } from './priority.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';
import { anyWrite, mutated } from './testdata/any-write.ts';

function creation(object: KubernetesObject, group: string, resource: string): AdmissionAttributes {
  return {
    operation: 'CREATE',
    ...anyWrite,
    group,
    resource,
    kind: object.kind,
    name: object.metadata.name ?? '',
    object,
  };
}

function pod(spec: KubernetesObject[string] = {}): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec };
}

const lostNodes = defaultTolerationSeconds({ tolerationSeconds: { notReady: 300, unreachable: 300 } });

function storing(objects: readonly KubernetesObject[]): StoredObjects {
  return {
    list: () => Promise.resolve(objects),
    async *scan() {
      yield* objects;
    },
    get: (_, { name }) => Promise.resolve(objects.find(({ metadata }) => metadata.name === name)),
  };
}

function prioritizing(stored: readonly KubernetesObject[], gates: readonly string[] = []): AdmissionPlugin {
  return priority({ stored: storing(stored), featureGates: new Map(gates.map((gate) => [gate, true])) });
}

const classes: readonly KubernetesObject[] = [
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 7,
    preemptionPolicy: 'Never',
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'usual' },
    value: 3,
    globalDefault: true,
  },
];

test.each([
  [{}, [], { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
  [{}, classes, { priority: 3, priorityClassName: 'usual', preemptionPolicy: 'PreemptLowerPriority' }],
  [{ priorityClassName: 'high' }, classes, { priority: 7, priorityClassName: 'high', preemptionPolicy: 'Never' }],
])('a pod %j has the priority of its class', async (spec, stored, expected) => {
  const object = pod({ ...spec });
  await mutated(prioritizing(stored), creation(object, '', 'pods'));
  expect(object['spec']).toEqual(expected);
});

test.each([
  [{ priorityClassName: 'none' }, 'pods "a" is forbidden: no PriorityClass with name none was found'],
  [
    { priority: 5 },
    'pods "a" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  ],
])('a pod %j is refused', async (spec, message) => {
  const plugin = prioritizing([]);
  await expect(mutated(plugin, creation(pod({ ...spec }), '', 'pods'))).rejects.toThrow(message);
});

test.each([
  ['podgroups', [], {}],
  ['podgroups', ['GenericWorkload'], { priority: 7 }],
  ['podgroups', ['GenericWorkload', 'PodGroupPreemptionPolicy'], { priority: 7, preemptionPolicy: 'Never' }],
  ['compositepodgroups', ['GenericWorkload'], {}],
  ['compositepodgroups', ['CompositePodGroup'], { priority: 7 }],
])('%s have the priority of their class with the gates %j', async (resource, gates, expected) => {
  const object: KubernetesObject = { ...pod({ priorityClassName: 'high' }), kind: 'PodGroup' };
  await mutated(prioritizing(classes, gates), creation(object, 'scheduling.k8s.io', resource));
  expect(object['spec']).toEqual({ priorityClassName: 'high', ...expected });
});

test('a pod group with another priority than that of its class is refused', async () => {
  const group: KubernetesObject = { ...pod({ priority: 5 }), kind: 'PodGroup' };
  const plugin = prioritizing(classes, ['GenericWorkload']);
  await expect(mutated(plugin, creation(group, 'scheduling.k8s.io', 'podgroups'))).rejects.toThrow(
    'podgroups.scheduling.k8s.io "a" is forbidden: priority set in the pod group (5) must match the priority computed (3) based on the priority class set in the spec',
  );
});

test('a second default class is refused', async () => {
  const second = { ...classes[1], metadata: { name: 'second' } } as KubernetesObject;
  const plugin = prioritizing(classes);
  await expect(plugin.validate?.(creation(second, 'scheduling.k8s.io', 'priorityclasses'))).rejects.toThrow(
    'PriorityClass usual is already marked as default. Only one default can exist',
  );
});

test('pods tolerate lost nodes for 300 seconds by default', async () => {
  const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 };
  const object = pod({ tolerations: [own] });
  await mutated(lostNodes, creation(object, '', 'pods'));
  const added = { ...own, key: 'node.kubernetes.io/unreachable', tolerationSeconds: 300 };
  expect(object['spec']).toEqual({ tolerations: [own, added] });
  const tolerant = pod({ tolerations: [{ operator: 'Exists' }] });
  await mutated(lostNodes, creation(tolerant, '', 'pods'));
  expect(tolerant['spec']).toEqual({ tolerations: [{ operator: 'Exists' }] });
});

test('new nodes are tainted, new claims protected', async () => {
  const node: KubernetesObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
  await mutated(taintNodesByCondition, creation(node, '', 'nodes'));
  expect(node['spec']).toEqual({ taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] });
  const claim: KubernetesObject = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' } };
  await mutated(storageObjectInUseProtection, creation(claim, '', 'persistentvolumeclaims'));
  expect(claim.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
});
