import type { Volume } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { blamed, counted, distinct, type EvaluatedPod, namesOf, type PodCheck, type Violation } from './violation.ts';

export function hostNamespaces({ spec = {} }: EvaluatedPod): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
}

export function hostPathVolumes({ spec = {} }: EvaluatedPod): Violation | undefined {
  const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name = '' }) => name);
  return bad.length === 0 ? undefined : { reason: 'hostPath volumes', detail: counted('volume', bad) };
}

const allowedVolumes: readonly (keyof Volume)[] = [
  ...(['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim'] as const),
  ...(['projected', 'secret'] as const),
];

/** In evaluation order. */
const restrictedVolumes: readonly (keyof Volume)[] = [
  ...(['hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'gitRepo', 'nfs', 'iscsi', 'glusterfs'] as const),
  ...(['rbd', 'flexVolume', 'cinder', 'cephfs', 'flocker', 'fc', 'azureFile', 'vsphereVolume', 'quobyte'] as const),
  ...(['azureDisk', 'photonPersistentDisk', 'portworxVolume', 'scaleIO', 'storageos'] as const),
];

export function volumeTypes({ spec = {} }: EvaluatedPod): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => !allowedVolumes.some((type) => volume[type] !== undefined));
  if (bad.length === 0) return undefined;
  const types = bad.map((volume) => restrictedVolumes.find((type) => volume[type] !== undefined) ?? 'unknown');
  const volumes = counted(
    'volume',
    bad.map(({ name = '' }) => name),
  );
  const use = bad.length === 1 ? 'uses' : 'use';
  return {
    reason: 'restricted volume types',
    detail: `${volumes} ${use} ${counted('restricted volume type', distinct(types))}`,
  };
}

export function runAsNonRoot(pod: EvaluatedPod): Violation | undefined {
  const reason = 'runAsNonRoot != true';
  const ofPod = pod.spec?.securityContext?.runAsNonRoot;
  const bad = namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false);
  const setters = blamed(ofPod === false, bad);
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  const silent = namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (ofPod === true || silent.length === 0) return undefined;
  return { reason, detail: `pod or ${counted('container', silent)} must set securityContext.runAsNonRoot=true` };
}

export function runAsUser(pod: EvaluatedPod): Violation | undefined {
  const bad = namesOf(pod, ({ securityContext }) => securityContext?.runAsUser === 0);
  const setters = blamed(pod.spec?.securityContext?.runAsUser === 0, bad);
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
}

export function windowsHostProcess(pod: EvaluatedPod): Violation | undefined {
  const bad = namesOf(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  const setters = blamed(pod.spec?.securityContext?.windowsOptions?.hostProcess === true, bad);
  if (setters === '') return undefined;
  const detail = `${setters} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: 'hostProcess', detail };
}

/** `safe`: sysctls that are namespaced and allowed as of the release. */
export function sysctls(safe: readonly string[]): PodCheck {
  return ({ spec }) => {
    const bad = (spec?.securityContext?.sysctls ?? [])
      .map(({ name = '' }) => name)
      .filter((name) => !safe.includes(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };
}
