import { expect, test } from 'vitest';
import { groupPriorities, versionPriority } from './group-priorities.ts';
import { builtInResources } from './resources.ts';

/** Priorities of group and version in the APIServices of kube-apiserver 1.37.1 with all APIs on. */
const recorded: { readonly [groupVersion: string]: readonly [number, number] } = {
  '/v1': [18000, 1],
  'admissionregistration.k8s.io/v1': [16700, 15],
  'apiextensions.k8s.io/v1': [16700, 15],
  'apps/v1': [17800, 15],
  'authentication.k8s.io/v1': [17700, 15],
  'authorization.k8s.io/v1': [17600, 15],
  'autoscaling/v1': [17500, 15],
  'batch/v1': [17400, 15],
  'certificates.k8s.io/v1': [17300, 15],
  'coordination.k8s.io/v1': [16500, 15],
  'discovery.k8s.io/v1': [16200, 15],
  'events.k8s.io/v1': [17750, 15],
  'flowcontrol.apiserver.k8s.io/v1': [16100, 21],
  'networking.k8s.io/v1': [17200, 15],
  'node.k8s.io/v1': [16300, 15],
  'policy/v1': [17100, 15],
  'rbac.authorization.k8s.io/v1': [17000, 15],
  'resource.k8s.io/v1': [16200, 21],
  'scheduling.k8s.io/v1': [16600, 15],
  'storage.k8s.io/v1': [16800, 15],
  'storagemigration.k8s.io/v1': [15800, 15],
  'admissionregistration.k8s.io/v1alpha1': [16700, 9],
  'internal.apiserver.k8s.io/v1alpha1': [16000, 9],
  'lifecycle.k8s.io/v1alpha1': [15700, 1],
  'coordination.k8s.io/v1alpha2': [16500, 12],
  'resource.k8s.io/v1alpha3': [16200, 1],
  'scheduling.k8s.io/v1alpha3': [16600, 3],
  'admissionregistration.k8s.io/v1beta1': [16700, 12],
  'certificates.k8s.io/v1beta1': [17300, 9],
  'coordination.k8s.io/v1beta1': [16500, 13],
  'resource.k8s.io/v1beta1': [16200, 9],
  'scheduling.k8s.io/v1beta1': [16600, 9],
  'storagemigration.k8s.io/v1beta1': [15800, 9],
  'resource.k8s.io/v1beta2': [16200, 15],
  'autoscaling/v2': [17500, 30],
};

test.each(Object.entries(recorded))('%s has the priorities of the reference', (groupVersion, priorities) => {
  const [group = '', version = ''] = groupVersion.split('/');
  expect([groupPriorities[group], versionPriority(group, version)]).toEqual(priorities);
});

test('only versions that kube-apiserver 1.37 has no APIService for are not recorded', () => {
  const versions = new Set(builtInResources().map(({ group, version }) => `${group}/${version}`));
  const others = ['apiregistration.k8s.io/v1', 'networking.k8s.io/v1beta1', 'storage.k8s.io/v1beta1'];
  expect([...versions].filter((version) => !(version in recorded))).toEqual(others);
});
