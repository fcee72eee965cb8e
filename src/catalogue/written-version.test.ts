import { expect, test } from 'vitest';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import { writtenVersion } from './written-version.ts';

// As kube-apiserver stores them.
test.each([
  ['resource.k8s.io', 'resourceclaims', '1.34', undefined],
  ['resource.k8s.io', 'devicetaintrules', '1.35', undefined],
  ['scheduling.k8s.io', 'podgroups', '1.36', undefined],
  ['storage.k8s.io', 'volumeattributesclasses', '1.34', undefined],
  ['admissionregistration.k8s.io', 'mutatingadmissionpolicies', '1.36', 'v1beta1'],
  ['admissionregistration.k8s.io', 'mutatingadmissionpolicies', '1.37', undefined],
  ['apiextensions.k8s.io', 'customresourcedefinitions', '1.37', 'v1beta1'],
  ['autoscaling', 'horizontalpodautoscalers', '1.34', undefined],
  ['', 'pods', '1.34', undefined],
])('%s/%s of %s is written as %s', (group, plural, release, version) => {
  const resources = builtInResources().filter((each) => each.group === group && each.plural === plural);
  expect(writtenVersion(resources, release)?.version).toBe(version);
});
