import {
  allocatesNodePorts,
  hasNodePorts,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheck,
  nodePortsOf,
  sameClusterIps,
  sameTexts,
  type Service,
  type ServiceSpec,
} from './service-needs.ts';

/** `clusterIP` is the first of `clusterIPs`, for older clients. */
export function linkClusterIps(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (old === undefined) {
    if (clusterIP !== '' && clusterIPs.length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const before = old.clusterIP ?? '';
  if (before === clusterIP) {
    if (clusterIPs.length === 0 && old.clusterIPs !== undefined) spec.clusterIPs = [...old.clusterIPs];
  } else if (sameClusterIps(spec, old)) {
    if (clusterIP === '') delete spec.clusterIPs;
    else spec.clusterIPs = [clusterIP];
  }
}

/** Allocated values are kept if a client omits them. */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if ((spec.clusterIP ?? '') === '' && old.clusterIP !== undefined) spec.clusterIP = old.clusterIP;
    if ((spec.clusterIPs ?? []).length === 0 && old.clusterIPs !== undefined) spec.clusterIPs = [...old.clusterIPs];
  }
  if (allocatesNodePorts(old) && allocatesNodePorts(spec)) keepNodePorts(spec, old);
  if (needsHealthCheck(old) && needsHealthCheck(spec) && (spec.healthCheckNodePort ?? 0) === 0) {
    if (old.healthCheckNodePort !== undefined) spec.healthCheckNodePort = old.healthCheckNodePort;
  }
}

/** A port, identified by its name, keeps its node port unless another port requests it. */
function keepNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const wanted = new Set(nodePortsOf(spec));
  const byName = new Map((old.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort] as const));
  for (const port of spec.ports ?? []) {
    if ((port.nodePort ?? 0) !== 0) continue;
    const before = byName.get(port.name ?? '') ?? 0;
    if (before !== 0 && !wanted.has(before)) port.nodePort = before;
  }
}

/** Drops fields that the new type of a service does not use, if the client left them unchanged. */
export function dropUnusedFields(service: Service, old: Readonly<Service>): void {
  const { spec = {} } = service;
  const before = old.spec ?? {};
  if (needsClusterIp(before) && !needsClusterIp(spec)) dropAddresses(spec, before);
  const known = new Set(nodePortsOf(before));
  if (hasNodePorts(before) && !hasNodePorts(spec) && nodePortsOf(spec).every((port) => known.has(port))) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  dropIf(spec, before, { field: 'healthCheckNodePort', needs: needsHealthCheck });
  dropIf(spec, before, { field: 'allocateLoadBalancerNodePorts', needs: isLoadBalancer });
  dropIf(spec, before, { field: 'loadBalancerClass', needs: isLoadBalancer });
  dropIf(spec, before, { field: 'externalTrafficPolicy', needs: isExternallyAccessible });
  if (!isLoadBalancer(spec)) service.status = { ...service.status, loadBalancer: {} };
}

function isLoadBalancer({ type }: ServiceSpec): boolean {
  return type === 'LoadBalancer';
}

function dropAddresses(spec: ServiceSpec, before: ServiceSpec): void {
  if (spec.clusterIP === before.clusterIP && sameClusterIps(spec, before)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameTexts(spec.ipFamilies, before.ipFamilies)) delete spec.ipFamilies;
  if (spec.ipFamilyPolicy === before.ipFamilyPolicy) delete spec.ipFamilyPolicy;
}

function dropIf(
  spec: ServiceSpec,
  before: ServiceSpec,
  { field, needs }: { readonly field: keyof ServiceSpec; readonly needs: (spec: ServiceSpec) => boolean },
): void {
  if (needs(before) && !needs(spec) && spec[field] === before[field]) delete spec[field];
}
