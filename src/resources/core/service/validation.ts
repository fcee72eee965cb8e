import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
} from '../../../api/errors/field-error.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { endpointAddress, familyOf, ipAddress, ipRange } from '../../parts/addresses/addresses.ts';
import { protocols } from '../../parts/pod-template/containers.ts';
import { portOrName } from '../../parts/pod-template/probes.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import {
  dnsLabel,
  dnsSubdomain,
  each,
  type Errors,
  isEmpty,
  labels,
  oneOf,
  portNumber,
  qualifiedName,
  requiredOneOf,
} from '../../parts/rules/rules.ts';

export type Service = core.Service;

export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIPs?.length === 1 && spec.clusterIPs[0] === 'None';
}

const hintsKey = 'service.kubernetes.io/topology-aware-hints';

const modeKey = 'service.kubernetes.io/topology-mode';

const rangesKey = 'service.beta.kubernetes.io/load-balancer-source-ranges';

export function* validateService(service: Service, old?: Service): Errors {
  const { spec = {}, metadata } = service;
  const { [hintsKey]: hints, [modeKey]: mode } = metadata?.annotations ?? {};
  if (hints !== undefined && mode !== undefined && hints !== mode) {
    const detail = `must match annotations[${hintsKey}] when both are specified`;
    yield invalidField(keyPath('metadata.annotations', modeKey), mode, detail);
  }
  if (isEmpty(spec.ports) && !isHeadless(service) && spec.type !== 'ExternalName') yield requiredField('spec.ports');
  yield* typeRules(service);
  const names = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    yield* servicePort(port, { path: `spec.ports[${index}]`, names, isOnly: spec.ports?.length === 1 });
  }
  yield* labels(spec.selector, 'spec.selector');
  yield* sessionAffinity(spec);
  if (spec.type !== 'ExternalName') yield* clusterAddresses(service, old);
  yield* externalAddresses(spec.externalIPs ?? [], old?.spec?.externalIPs ?? []);
  yield* requiredOneOf(['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'])(spec.type, 'spec.type');
  yield* portConflicts(spec);
  yield* sourceRanges(service, old);
  const allocates = spec.allocateLoadBalancerNodePorts;
  if (allocates !== undefined && spec.type !== 'LoadBalancer') {
    yield forbiddenField('spec.allocateLoadBalancerNodePorts', onlyForLoadBalancers);
  }
  if (allocates === undefined && spec.type === 'LoadBalancer') yield requiredField('allocateLoadBalancerNodePorts');
  yield* loadBalancerClass(service);
  yield* trafficPolicies(spec);
}

const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

function* typeRules(service: Service): Errors {
  const { spec = {} } = service;
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') {
    const detail = `may not be set to 'None' for ${spec.type} services`;
    if (isHeadless(service)) yield invalidField('spec.clusterIPs[0]', 'None', detail);
  }
  if (spec.type !== 'ExternalName') return;
  for (const name of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const) {
    const isGiven = name === 'ipFamilyPolicy' ? spec[name] !== undefined : !isEmpty(spec[name]);
    if (isGiven) yield forbiddenField(`spec.${name}`, 'may not be set for ExternalName services');
  }
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') yield requiredField('spec.externalName');
  else yield* dnsSubdomain(name, 'spec.externalName');
}

interface PortScope {
  readonly path: string;
  readonly names: Set<string>;
  readonly isOnly: boolean;
}

function* servicePort(port: core.ServicePort, { path, names, isOnly }: PortScope): Errors {
  const { name = '' } = port;
  const namePath = childPath(path, 'name');
  if (name !== '') {
    yield* dnsLabel(name, namePath);
    if (names.has(name)) yield duplicateField(namePath, name);
    names.add(name);
  } else if (!isOnly) yield requiredField(namePath);
  yield* portNumber(port.port, childPath(path, 'port'));
  yield* requiredOneOf(protocols)(port.protocol, childPath(path, 'protocol'));
  yield* portOrName(port.targetPort, childPath(path, 'targetPort'));
  if (port.appProtocol !== undefined) yield* qualifiedName(port.appProtocol, childPath(path, 'appProtocol'));
}

function* sessionAffinity({ sessionAffinity: affinity = '', sessionAffinityConfig: config }: core.ServiceSpec): Errors {
  yield* requiredOneOf(['ClientIP', 'None'])(affinity, 'spec.sessionAffinity');
  const path = 'spec.sessionAffinityConfig';
  if (affinity === 'None' && config) yield forbiddenField(path, 'must not be set when session affinity is None');
  if (affinity !== 'ClientIP') return;
  const detail = 'when session affinity type is ClientIP';
  const seconds = config?.clientIP?.timeoutSeconds;
  if (config === undefined) yield requiredField(path, detail);
  else if (config.clientIP === undefined) yield requiredField(`${path}.clientIP`, detail);
  else if (seconds === undefined) yield requiredField(`${path}.clientIP.timeoutSeconds`, detail);
  else if (seconds <= 0 || seconds > 86400) {
    yield invalidField(`${path}.clientIP.timeoutSeconds`, seconds, 'must be greater than 0 and less than 86400');
  }
}

/** Cluster IPs and their families, as far as they can be validated before allocation. */
export function* clusterAddresses(service: Service, old: Service | undefined): Errors {
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = service.spec ?? {};
  const path = 'spec.clusterIPs';
  if (clusterIP === '') {
    if (clusterIPs.length > 0) yield invalidField(path, clusterIPs, 'must be empty when `clusterIP` is not specified');
  } else if (clusterIPs.length === 0) yield requiredField(path);
  else if (clusterIPs[0] !== clusterIP) yield invalidField(path, clusterIPs, 'first value must match `clusterIP`');
  const isRepeated = repetitions();
  for (const [index, family] of ipFamilies.entries()) {
    yield* oneOf(['IPv4', 'IPv6'])(family, keyPath('spec.ipFamilies', index));
    if (isRepeated(family)) yield duplicateField(keyPath('spec.ipFamilies', index), family);
  }
  yield* oneOf(['PreferDualStack', 'RequireDualStack', 'SingleStack'])(ipFamilyPolicy, 'spec.ipFamilyPolicy');
  let wellFormed = true;
  const before = new Set(old?.spec?.clusterIPs);
  for (const [index, address] of clusterIPs.entries()) {
    if (index === 0 && address === 'None') {
      if (clusterIPs.length === 1) continue;
      wellFormed = false;
      yield invalidField(path, clusterIPs, "'None' must be the first and only value");
      continue;
    }
    const errors = ipAddress(address, keyPath(path, index), before);
    wellFormed &&= errors.length === 0;
    yield* errors;
  }
  if (clusterIPs.length > 2) yield invalidField(path, clusterIPs, 'may only hold up to 2 values');
  if (!wellFormed) return;
  // Three may be of both families.
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(familyOf)).size === 1) {
    yield invalidField(path, clusterIPs, 'may specify no more than one IP for each IP family');
  }
  if (isHeadless(service)) return;
  for (const [index, address] of clusterIPs.entries()) {
    const family = ipFamilies[index];
    const actual = familyOf(address) === 6 ? 'IPv6' : 'IPv4';
    if ((family !== 'IPv4' && family !== 'IPv6') || family === actual) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    yield invalidField(keyPath(path, index), address, detail);
  }
}

function* externalAddresses(addresses: readonly string[], old: readonly string[]): Errors {
  const before = new Set(old);
  for (const [index, address] of addresses.entries()) {
    const path = keyPath('spec.externalIPs', index);
    const errors = ipAddress(address, path, before);
    yield* errors.length > 0 ? errors : endpointAddress(address, path);
  }
}

function* portConflicts({ ports = [], type }: core.ServiceSpec): Errors {
  for (const [index, port] of ports.entries()) {
    if (type !== 'ClusterIP' || !port.nodePort) continue;
    yield forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'");
  }
  const isRepeatedNodePort = repetitions();
  for (const [index, { protocol = '', nodePort = 0 }] of ports.entries()) {
    if (nodePort === 0 || !isRepeatedNodePort(`${nodePort} ${protocol}`)) continue;
    yield duplicateField(`spec.ports[${index}].nodePort`, nodePort);
  }
  const isRepeatedPort = repetitions();
  for (const [index, { protocol = '', port: number = 0 }] of ports.entries()) {
    if (!isRepeatedPort(`${number} ${protocol}`)) continue;
    yield duplicateField(`spec.ports[${index}]`, internalValue('core.ServicePort', { protocol, port: number }));
  }
}

function* sourceRanges({ spec = {}, metadata }: Service, old: Service | undefined): Errors {
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const annotation = metadata?.annotations?.[rangesKey];
  const isForbidden = spec.type !== 'LoadBalancer';
  if (ranges.length > 0) {
    const path = 'spec.LoadBalancerSourceRanges';
    if (isForbidden) yield forbiddenField(path, onlyForLoadBalancers);
    const before = new Set(old?.spec?.loadBalancerSourceRanges?.map((range) => range.trim()));
    yield* each<string>((range, at) => ipRange(range.trim(), at, before))(ranges, path);
  } else if (annotation !== undefined) {
    const path = keyPath('metadata.annotations', rangesKey);
    if (isForbidden) yield forbiddenField(path, onlyForLoadBalancers);
    if (old?.metadata?.annotations?.[rangesKey] === annotation || annotation.trim() === '') return;
    for (const range of annotation.trim().split(',')) yield* ipRange(range.trim(), path);
  }
}

export function* loadBalancerClass({ spec }: Service): Errors {
  const name = spec?.loadBalancerClass;
  if (name === undefined) return;
  if (spec?.type === 'LoadBalancer') yield* qualifiedName(name, 'spec.loadBalancerClass');
  else yield forbiddenField('spec.loadBalancerClass', onlyForLoadBalancers);
}

function isExternallyAccessible({ type, externalIPs }: core.ServiceSpec): boolean {
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && !isEmpty(externalIPs));
}

export function needsHealthCheck({ type, externalTrafficPolicy }: core.ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

function* trafficPolicies(spec: core.ServiceSpec): Errors {
  const { externalTrafficPolicy: external = '', healthCheckNodePort: check = 0, type } = spec;
  if (isExternallyAccessible(spec)) {
    yield* requiredOneOf(['Cluster', 'Local'])(external, 'spec.externalTrafficPolicy');
  } else if (external !== '') {
    yield invalidField('spec.externalTrafficPolicy', external, 'may only be set for externally-accessible services');
  }
  const checkPath = 'spec.healthCheckNodePort';
  if (!needsHealthCheck(spec)) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    if (check !== 0) yield invalidField(checkPath, check, detail);
  } else if (check === 0) yield requiredField(checkPath);
  else yield* portNumber(check, checkPath);
  const internalPath = 'spec.internalTrafficPolicy';
  const internal = spec.internalTrafficPolicy;
  if (internal === undefined) {
    if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP') yield requiredField(internalPath);
  } else yield* oneOf(['Cluster', 'Local'])(internal, internalPath);
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  yield* oneOf(distributions)(spec.trafficDistribution, 'spec.trafficDistribution');
}
