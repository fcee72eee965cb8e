import { goQuote } from '../../../api/go/go-quote.ts';
import type { Service, ServiceSpec, ServiceStatus } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { IngressStatus } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { cidrWarnings, ipWarnings } from '../../parts/addresses/ip-texts.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';

/** For services and ingresses. */
export function loadBalancerWarnings(status: ServiceStatus | IngressStatus = {}): Warnings {
  return perItem(status.loadBalancer?.ingress, ({ ip = '' }, index) =>
    ip === '' ? [] : ipWarnings(`status.loadBalancer.ingress[${index}]`, ip),
  );
}

const topologyHints = 'service.kubernetes.io/topology-aware-hints';

const topologyMode = 'service.kubernetes.io/topology-mode';

/** Fields of a service that are valid but have no effect or are deprecated. */
export function* serviceWarnings({ metadata = {}, spec = {} }: Service): Warnings {
  const external = spec.type === 'ExternalName';
  const headless = spec.type === 'ClusterIP' && spec.clusterIP === 'None';
  const hasExternalIps = (spec.externalIPs ?? []).length > 0;
  if (metadata.annotations?.[topologyHints] !== undefined) {
    yield `annotation ${topologyHints} is deprecated, please use ${topologyMode} instead`;
  }
  if (headless) yield* headlessWarnings(spec);
  else yield* perItem(spec.clusterIPs, (ip, index) => ipWarnings(`spec.clusterIPs[${index}]`, ip));
  yield* perItem(spec.externalIPs, (ip, index) => ipWarnings(`spec.externalIPs[${index}]`, ip));
  if (hasExternalIps && !headless && !external) {
    yield 'spec.externalIPs is deprecated and may no longer be implemented in some clusters';
  }
  yield* ipWarnings('spec.loadBalancerIP', spec.loadBalancerIP);
  yield* perItem(spec.loadBalancerSourceRanges, (range, index) =>
    cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, range),
  );
  if (external && hasExternalIps) yield 'spec.externalIPs is ignored when spec.type is "ExternalName"';
  if (!external && (spec.externalName ?? '') !== '') {
    yield 'spec.externalName is ignored when spec.type is not "ExternalName"';
  }
  if (spec.trafficDistribution === 'PreferClose') {
    yield `spec.trafficDistribution: ${goQuote('PreferClose')} is deprecated; use ${goQuote('PreferSameZone')}`;
  }
}

function* headlessWarnings(spec: ServiceSpec): Warnings {
  if ((spec.loadBalancerIP ?? '') !== '') yield 'spec.loadBalancerIP is ignored for headless services';
  if ((spec.externalIPs ?? []).length > 0) yield 'spec.externalIPs is ignored for headless services';
  if (spec.sessionAffinity !== 'None') yield 'spec.SessionAffinity is ignored for headless services';
}
