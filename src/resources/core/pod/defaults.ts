import type { Container, Pod, PodStatus } from '../../../schema/kubernetes/generated/types/core-v1.ts';

/** Defaults of pods that pod templates do not get. */
export function defaultPod(pod: Pod): void {
  pod.spec ??= {};
  const { spec } = pod;
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  for (const { resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    if (resources?.limits === undefined) continue;
    resources.requests = { ...resources.limits, ...resources.requests };
  }
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) defaultHostPorts([...(spec.containers ?? []), ...(spec.initContainers ?? [])]);
}

function defaultHostPorts(containers: readonly Container[]): void {
  for (const port of containers.flatMap(({ ports = [] }) => ports)) {
    if (port.containerPort !== undefined) port.hostPort ??= port.containerPort;
  }
}

export function defaultPodStatus(status: PodStatus): void {
  const [first] = status.podIPs ?? [];
  if (status.podIP !== undefined && first?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
  else if (status.podIP === undefined && first?.ip !== undefined) status.podIP = first.ip;
}
