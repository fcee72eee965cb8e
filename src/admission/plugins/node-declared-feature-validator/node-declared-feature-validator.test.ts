import { describe, expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import type { JsonObject } from '../../../api/json/json.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { StoredObjects } from '../../../api/contracts/stored-objects.ts';
import { nodeDeclaredFeatureValidator } from './node-declared-feature-validator.ts';
import { anyWrite } from '../testdata/any-write.ts';

const object = (name: string, more: Partial<KubernetesObject>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  ...more,
  metadata: { name, ...more.metadata },
});
const nodes = [
  object('plain', { metadata: { labels: { zone: 'a', size: '3' } }, status: {} }),
  object('able', {
    metadata: { labels: { zone: 'b', size: '5' } },
    status: { declaredFeatures: ['InPlacePodLevelResourcesVerticalScaling', 'DRANodeAllocatableResources'] },
  }),
];
const stored: StoredObjects = {
  list: () => Promise.resolve(nodes),
  async *scan() {},
  get: (_, { name }) => Promise.resolve(nodes.find(({ metadata }) => metadata.name === name)),
};
const gates = ['NodeDeclaredFeatures', 'DRANodeAllocatableResources'];

async function problem(
  write: Partial<AdmissionAttributes>,
  open: readonly string[] = gates,
): Promise<string | undefined> {
  const featureGates = new Map(gates.map((gate) => [gate, open.includes(gate)]));
  const { validate } = nodeDeclaredFeatureValidator({ stored, featureGates });
  const attributes = {
    ...anyWrite,
    operation: 'UPDATE',
    kind: 'Any',
    name: 'x',
    oldObject: undefined,
    ...write,
  } as const;
  try {
    await validate?.(attributes as AdmissionAttributes); // what a plugin looks at
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function updated(old: object, now: object): Partial<AdmissionAttributes> {
  const pod = (spec: object): KubernetesObject => object('x', { spec: { nodeName: 'plain', ...spec } });
  return { group: '', resource: 'pods', subresource: 'resize', object: pod(now), oldObject: pod(old) };
}

const resources = (cpu: string) => ({ resources: { limits: { cpu } } });
const init = (cpu: string, more = {}) => ({ initContainers: [{ name: 'i', ...resources(cpu), ...more }] });
const volume = (sizeLimit: string, medium = 'Memory') => ({
  volumes: [{ name: 'v', emptyDir: { medium, sizeLimit } }],
});
const refused = (features: string): string =>
  `pods "x" is forbidden: pod update requires features ${features} which are not available on node "plain"`;

describe('updates of pods', () => {
  test.each([
    ['resources of the pod', resources('1'), resources('2'), refused('InPlacePodLevelResourcesVerticalScaling')],
    ['resources of the pod, added', {}, resources('2'), refused('InPlacePodLevelResourcesVerticalScaling')],
    ['the same resources', resources('1'), resources('1000m'), undefined],
    ['init containers', init('1'), init('2'), refused('InPlacePodVerticalScalingInitContainers')],
    ['sidecars', init('1', { restartPolicy: 'Always' }), init('2', { restartPolicy: 'Always' }), undefined],
    ['volumes in memory', volume('1Mi'), volume('2Mi'), refused('InPlacePodVerticalScalingMemoryBackedVolumes')],
    ['other volumes', volume('1Mi', ''), volume('2Mi', ''), undefined],
    ['nothing', {}, {}, undefined],
    [
      'several',
      { ...resources('1'), ...volume('1Mi') },
      { ...resources('2'), ...volume('2Mi') },
      refused('InPlacePodLevelResourcesVerticalScaling, InPlacePodVerticalScalingMemoryBackedVolumes'),
    ],
    ['a node that has declared it', resources('1'), { ...resources('2'), nodeName: 'able' }, undefined],
    ['no node', resources('1'), { ...resources('2'), nodeName: '' }, undefined],
    [
      'a node that is gone',
      resources('1'),
      { ...resources('2'), nodeName: 'gone' },
      'pods "x" is forbidden: node "gone" not found',
    ],
  ])('%s', async (_, old, now, why) => {
    expect(await problem(updated(old, now))).toBe(why);
  });

  test('are not looked at without the gate, through other subresources, or when they are new', async () => {
    const write = updated(resources('1'), resources('2'));
    expect(await problem(write, [])).toBeUndefined();
    expect(await problem({ ...write, subresource: 'status' })).toBeUndefined();
    expect(await problem({ ...write, operation: 'CREATE' })).toBeUndefined();
  });
});

describe('devices with resources of their nodes', () => {
  const devices = [{ name: 'd', nodeAllocatableResources: { cpu: {} } }];
  const selector = (operator: string, key: string, values: readonly string[] = []): object => ({
    nodeSelector: { nodeSelectorTerms: [{}, { matchExpressions: [{ key, operator, values }] }] },
  });
  const byName = {
    nodeSelector: {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['able'] }] }],
    },
  };
  const unable =
    'resourceslices.resource.k8s.io "x" is forbidden: node "plain" does not support DRANodeAllocatableResources feature';

  test.each([
    ['a node', { devices, nodeName: 'able' }, undefined],
    ['a node without the feature', { devices, nodeName: 'plain' }, unable],
    ['all nodes', { devices, allNodes: true }, unable],
    ['nodes by name', { devices, ...byName }, undefined],
    ['nodes that have a label', { devices, ...selector('Exists', 'zone') }, unable],
    ['nodes with a value', { devices, ...selector('In', 'zone', ['b']) }, undefined],
    ['nodes without a value', { devices, ...selector('NotIn', 'zone', ['b']) }, unable],
    ['nodes without a label', { devices, ...selector('DoesNotExist', 'other') }, unable],
    ['greater nodes', { devices, ...selector('Gt', 'size', ['4']) }, undefined],
    ['lesser nodes', { devices, ...selector('Lt', 'size', ['4']) }, unable],
    ['devices without such resources', { devices: [{ name: 'd' }], nodeName: 'plain' }, undefined],
    [
      'nodes of their own',
      { perDeviceNodeSelection: true, nodeName: 'able', devices: [{ ...devices[0], nodeName: 'plain' }] },
      unable,
    ],
    [
      'no nodes',
      { devices },
      'resourceslices.resource.k8s.io "x" is forbidden: device "d" in ResourceSlice has NodeAllocatableResources but does not map to any nodes',
    ],
    [
      'a node that is gone',
      { devices, nodeName: 'gone' },
      'resourceslices.resource.k8s.io "x" is forbidden: node "gone" not found for device "d"',
    ],
  ])('%s', async (_, spec, why) => {
    const write = {
      group: 'resource.k8s.io',
      resource: 'resourceslices',
      object: object('x', { spec: spec as JsonObject }),
    };
    expect(await problem(write)).toBe(why);
    expect(await problem(write, ['NodeDeclaredFeatures'])).toBeUndefined();
  });
});
