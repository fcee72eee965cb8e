import { expect, test } from 'vitest';
import type { KubernetesObject } from '../api/meta/object.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import { applyDefaults } from '../schema/default.ts';
import { builtInKind } from './kind-table.ts';
import { kindEnvironment } from './testdata/kind-environment.ts';

function defaulted(kind: string, version: string, object: object, gate: string, state: boolean): KubernetesObject {
  const resource = builtInResources().find((each) => each.kind === kind && each.version === version);
  if (resource === undefined) throw new Error(kind);
  const copy = structuredClone({ metadata: {}, ...object }) as unknown as KubernetesObject;
  const environment = kindEnvironment({ featureGates: new Map([[gate, state]]) });
  const { defaulters } = builtInKind(resource.group, kind).behaviourIn(environment);
  applyDefaults(resource.schema, copy, defaulters);
  return copy;
}

const probed = { spec: { containers: [{ name: 'c', livenessProbe: { httpGet: { port: 80 } } }] } };

test.each([
  ['StatefulSet', 'v1', {}, 'MaxUnavailableStatefulSet', '"maxUnavailable":1'],
  ['CSIDriver', 'v1', { spec: {} }, 'VolumeLimitScaling', '"preventPodSchedulingIfMissing":false'],
  ['PodGroup', 'v1beta1', { spec: {} }, 'PodGroupPreemptionPolicy', '"preemptionPolicy":"PreemptLowerPriority"'],
  ['PodGroup', 'v1alpha3', { spec: {} }, 'PodGroupPreemptionPolicy', '"preemptionPolicy":"PreemptLowerPriority"'],
  ['CompositePodGroup', 'v1alpha3', { spec: {} }, 'PodGroupPreemptionPolicy', '"preemptionPolicy"'],
  ['Pod', 'v1', probed, 'H2CContainerProbe', '"protocol":"HTTP1"'],
])('the defaults of %s %s follow the gate of a field', (kind, version, object, gate, text) => {
  expect(JSON.stringify(defaulted(kind, version, object, gate, true))).toContain(text);
  expect(JSON.stringify(defaulted(kind, version, object, gate, false))).not.toContain(text);
});

test('the other defaults of a type stay', () => {
  const { spec } = defaulted('CSIDriver', 'v1', { spec: {} }, 'VolumeLimitScaling', true);
  expect(spec).toMatchObject({ attachRequired: true, preventPodSchedulingIfMissing: false });
});
