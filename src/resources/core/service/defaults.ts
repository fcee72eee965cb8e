import type { Service } from '../../../schema/kubernetes/generated/types/core-v1.ts';

const exposedTypes: ReadonlySet<string> = new Set(['NodePort', 'LoadBalancer']);
const clientIpAffinitySeconds = 10_800;

export function defaultService(service: Service): void {
  service.spec ??= {};
  const { spec } = service;
  spec.sessionAffinity ??= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  else if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: clientIpAffinitySeconds } };
  }
  spec.type ??= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ??= 'TCP';
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '')
      port.targetPort = port.port ?? 0;
  }
  const exposed = exposedTypes.has(spec.type) || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
  if (exposed) spec.externalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) {
    if (ingress.ip !== undefined) ingress.ipMode ??= 'VIP';
  }
}
