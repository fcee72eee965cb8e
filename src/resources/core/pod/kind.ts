import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed, typed } from '../../parts/defaults/fill.ts';
import { podTemplateDefaults } from '../../parts/pod-template/defaults.ts';
import { defaultPod, defaultPodStatus } from './defaults.ts';
import { fixedVolumes, podResize } from './resize-validation.ts';
import { podStatus } from './status-validation.ts';
import { podStrategy } from './strategy.ts';
import { validateEphemeralContainersUpdate, validatePod, validatePodUpdate } from './validation.ts';
import { resizesVolumes, volumeChanges } from './volume-resizes.ts';
import { newPodWarnings, podStatusWarnings } from './warnings.ts';

export const podKind = defineKind<Pod>({
  group: '',
  kind: 'Pod',
  strategy: podStrategy,
  checks: ({ featureGates }) => ({
    create: validatePod,
    update: validatePodUpdate,
    subresources: {
      status: podStatus,
      resize: (pod, old) => podResize(pod, old, resizesVolumes(featureGates) ? volumeChanges : fixedVolumes),
      ephemeralcontainers: validateEphemeralContainersUpdate,
    },
  }),
  warnings: { create: newPodWarnings, subresources: { status: podStatusWarnings } },
  responses: { returnsDeletedObject: true },
  defaults: {
    ...podTemplateDefaults,
    'io.k8s.api.core.v1.Pod': typed(defaultPod),
    'io.k8s.api.core.v1.PodStatus': typed(defaultPodStatus),
  },
  gatedDefaults: {
    H2CContainerProbe: { 'io.k8s.api.core.v1.HTTPGetAction': fixed({ protocol: 'HTTP1' }) },
  },
  table: async () => (await import('./table.ts')).pods,
});
