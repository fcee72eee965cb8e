import type { KubernetesObject } from '../api/object.ts';
import type { ContainerStatus, Pod } from '../schema/kubernetes/generated/types/core-v1.ts';

export type StoredPod = KubernetesObject & Pod;

/** Its containers have ended and are not started again. */
export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

/** It has ended, or goes and none of its containers runs. */
export function isTerminated(pod: StoredPod): boolean {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = pod.status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  return hasEnded(pod) || (pod.metadata.deletionTimestamp !== undefined && !statuses.some(isRunning));
}

function isRunning({ state }: ContainerStatus): boolean {
  return state?.terminated === undefined && state?.waiting === undefined;
}
