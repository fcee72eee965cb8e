import type { KubernetesObject } from '../../../../api/meta/object.ts';
import type * as core from '../../../../schema/kubernetes/generated/types/core-v1.ts';

export type Service = KubernetesObject & core.Service;
export type ServiceSpec = core.ServiceSpec;

export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName';
}

export function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** Whether ports without a node port get one; load balancers may opt out. */
export function allocatesNodePorts(spec: ServiceSpec): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

export function isExternallyAccessible(spec: ServiceSpec): boolean {
  return hasNodePorts(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
}

export function nodePortsOf({ ports = [] }: ServiceSpec): number[] {
  return ports.flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort]));
}

export function isHeadless({ clusterIPs = [] }: ServiceSpec): boolean {
  return clusterIPs[0] === 'None';
}

export function sameTexts(some: readonly string[] = [], others: readonly string[] = []): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}

export function sameClusterIps(spec: ServiceSpec, old: ServiceSpec): boolean {
  return sameTexts(spec.clusterIPs, old.clusterIPs);
}
