import { goQuote } from '../../api/go-quote.ts';
import type { Service } from '../../schema/kubernetes/generated/types/core-v1.ts';

const topologyHints = 'service.kubernetes.io/topology-aware-hints';
const topologyMode = 'service.kubernetes.io/topology-mode';

/** What is valid in a service but without effect, or deprecated. */
export function serviceWarnings({ metadata = {}, spec = {} }: Service): string[] {
  const external = spec.type === 'ExternalName';
  const headless = spec.type === 'ClusterIP' && spec.clusterIP === 'None';
  const hasExternalIps = (spec.externalIPs ?? []).length > 0;
  const rows: readonly (readonly [applies: boolean, text: string])[] = [
    [
      metadata.annotations?.[topologyHints] !== undefined,
      `annotation ${topologyHints} is deprecated, please use ${topologyMode} instead`,
    ],
    [headless && (spec.loadBalancerIP ?? '') !== '', 'spec.loadBalancerIP is ignored for headless services'],
    [headless && hasExternalIps, 'spec.externalIPs is ignored for headless services'],
    [headless && spec.sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services'],
    [
      hasExternalIps && !headless && !external,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    [external && hasExternalIps, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [
      !external && (spec.externalName ?? '') !== '',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
    [
      spec.trafficDistribution === 'PreferClose',
      `spec.trafficDistribution: ${goQuote('PreferClose')} is deprecated; use ${goQuote('PreferSameZone')}`,
    ],
  ];
  return rows.flatMap(([applies, text]) => (applies ? [text] : []));
}
