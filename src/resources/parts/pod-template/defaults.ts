import type { Defaulters } from '../../../schema/defaulters.ts';
import type { Container, PodSpec, Volume } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { roundsUp } from '../amounts/resource-list.ts';
import { fixed, inTurn, typed } from '../defaults/fill.ts';
import { volumeClaimSpecDefaults } from '../volume-claim/defaults.ts';
import { imageTag } from './image-tag.ts';

const fileMode = 0o644;

/** For the types within pods and pod templates. */
export const podTemplateDefaults: Defaulters = {
  ...volumeClaimSpecDefaults,
  'io.k8s.api.core.v1.ConfigMapVolumeSource': fixed({ defaultMode: fileMode }),
  'io.k8s.api.core.v1.Container': typed(defaultContainer),
  'io.k8s.api.core.v1.DownwardAPIVolumeSource': fixed({ defaultMode: fileMode }),
  'io.k8s.api.core.v1.EphemeralContainer': typed(defaultContainer),
  'io.k8s.api.core.v1.HTTPGetAction': fixed({ path: '/', scheme: 'HTTP' }),
  'io.k8s.api.core.v1.HostPathVolumeSource': fixed({ type: '' }),
  'io.k8s.api.core.v1.ObjectFieldSelector': fixed({ apiVersion: 'v1' }),
  'io.k8s.api.core.v1.PodSpec': inTurn(typed(defaultPodSpec), roundsUp('overhead')),
  'io.k8s.api.core.v1.Probe': fixed({ timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  'io.k8s.api.core.v1.ProjectedVolumeSource': fixed({ defaultMode: fileMode }),
  'io.k8s.api.core.v1.ResourceRequirements': roundsUp('limits', 'requests'),
  'io.k8s.api.core.v1.SecretVolumeSource': fixed({ defaultMode: fileMode }),
  'io.k8s.api.core.v1.ServiceAccountTokenProjection': fixed({ expirationSeconds: 3600 }),
  'io.k8s.api.core.v1.Volume': typed(defaultVolume),
};

function pullPolicy(image: string): 'Always' | 'IfNotPresent' {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultContainer(container: Container): void {
  container.imagePullPolicy ??= pullPolicy(container.image ?? '');
  container.terminationMessagePath ??= '/dev/termination-log';
  container.terminationMessagePolicy ??= 'File';
}

/** A volume without a source defaults to an emptyDir. */
function defaultVolume(volume: Volume): void {
  if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
  const { image } = volume;
  if (image !== undefined) image.pullPolicy ??= pullPolicy(image.reference ?? '');
}

function defaultPodSpec(spec: PodSpec): void {
  const account = spec.serviceAccountName ?? spec.serviceAccount;
  if (account !== undefined) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
  spec.dnsPolicy ??= 'ClusterFirst';
  spec.restartPolicy ??= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ??= 'default-scheduler';
}
