import type { KubernetesObject } from '../api/meta/object.ts';
import type { ContainerStatus, Pod } from '../schema/kubernetes/generated/types/core-v1.ts';

export type StoredPod = KubernetesObject & Pod;

/** Its containers have terminated for good. */
export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

/** It has terminated, or is being deleted and has no running containers. */
export function isTerminated(pod: StoredPod): boolean {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = pod.status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  return hasEnded(pod) || (pod.metadata.deletionTimestamp !== undefined && !statuses.some(isRunning));
}

function isRunning({ state }: ContainerStatus): boolean {
  return state?.terminated === undefined && state?.waiting === undefined;
}
