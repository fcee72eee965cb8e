import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../api/contracts/admission.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { alwaysDeny } from './always-deny.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { denyServiceExternalIps } from './deny-service-external-ips.ts';
import { extendedResourceToleration } from './extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { namespaceExists } from './namespace-exists.ts';
import { anyWrite, mutated } from './testdata/any-write.ts';

// Plugins that are off unless named in --enable-admission-plugins. Messages are those of kube-apiserver 1.37.1.

function write(resource: string, spec: KubernetesObject[string], old?: KubernetesObject[string]): AdmissionAttributes {
  const objectOf = (value: KubernetesObject[string]): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Any',
    metadata: { name: 'a' },
    spec: value,
  });
  return {
    operation: old === undefined ? 'CREATE' : 'UPDATE',
    ...anyWrite,
    group: '',
    resource,
    kind: 'Any',
    name: 'a',
    object: objectOf(spec),
    oldObject: old === undefined ? undefined : objectOf(old),
  };
}

test('AlwaysDeny', async () => {
  await expect(mutated(alwaysDeny, write('pods', {}))).rejects.toThrow(
    'pods "a" is forbidden: admission control is denying all modifications',
  );
});

test('AlwaysPullImages changes only new images', async () => {
  const containers = (image: string) => [{ name: 'c', image, imagePullPolicy: 'Never' }];
  const created = write('pods', { containers: containers('i'), volumes: [{ name: 'v', image: { reference: 'r' } }] });
  await mutated(alwaysPullImages, created);
  expect(created.object?.['spec']).toEqual({
    containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Always' }],
    volumes: [{ name: 'v', image: { reference: 'r', pullPolicy: 'Always' } }],
  });
  const kept = write('pods', { containers: containers('i') }, { containers: containers('i') });
  await mutated(alwaysPullImages, kept);
  expect(kept.object?.['spec']).toEqual({ containers: containers('i') });
});

test('DenyServiceExternalIPs allows existing ones', () => {
  const ips = { externalIPs: ['1.2.3.4'] };
  const text = 'services "a" is forbidden: Use of external IPs is denied by admission control';
  expect(() => denyServiceExternalIps.validate?.(write('services', ips))).toThrow(text);
  expect(() => denyServiceExternalIps.validate?.(write('services', ips, ips))).not.toThrow();
  expect(() => denyServiceExternalIps.validate?.(write('services', ips, { externalIPs: ['5.6.7.8'] }))).toThrow(text);
});

test('ExtendedResourceToleration tolerates the taints of devices', async () => {
  const requests = { cpu: '1', 'example.com/gpu': '1', 'hugepages-2Mi': '1', 'a.kubernetes.io/x': '1' };
  const created = write('pods', { containers: [{ name: 'c', resources: { requests } }] });
  await mutated(extendedResourceToleration, created);
  await mutated(extendedResourceToleration, created);
  expect(created.object?.['spec']).toMatchObject({
    tolerations: [{ key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
  });
});

test('LimitPodHardAntiAffinityTopology', () => {
  const spec = (topologyKey: string) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
  });
  const validate = (attributes: AdmissionAttributes) => limitPodHardAntiAffinityTopology.validate?.(attributes);
  expect(() => validate(write('pods', spec('kubernetes.io/hostname')))).not.toThrow();
  expect(() => validate(write('pods', spec('zone')))).toThrow(
    'pods "a" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  );
});

test('NamespaceExists', async () => {
  const none = {
    list: () => Promise.resolve([]),
    async *scan() {},
    get: () => Promise.resolve(undefined),
  };
  const plugin = namespaceExists({ stored: none });
  await expect(plugin.validate?.(write('pods', {}))).rejects.toThrow('namespaces "default" not found');
});

test('AlwaysPullImages rejects policies that were changed back', () => {
  const made = write('pods', {
    initContainers: [{ name: 'a', image: 'i', imagePullPolicy: 'Always' }],
    containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Never' }],
    volumes: [{ name: 'v', image: { reference: 'r' } }],
  });
  const says = (path: string, value: string) =>
    `pods "a" is forbidden: spec.${path}: Unsupported value: "${value}": supported values: "Always"`;
  expect(() => alwaysPullImages.validate?.(made)).toThrow(
    `[${says('containers[0].imagePullPolicy', 'Never')}, ${says('volumes[0].image.pullPolicy', '')}]`,
  );
});
