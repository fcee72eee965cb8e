import { goQuote } from '../../api/go-quote.ts';
import type { Service } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { cidrWarnings, ipWarnings } from './ip-texts.ts';

const topologyHints = 'service.kubernetes.io/topology-aware-hints';
const topologyMode = 'service.kubernetes.io/topology-mode';

/** What is valid in a service but without effect, or deprecated. */
export function serviceWarnings({ metadata = {}, spec = {} }: Service): string[] {
  const external = spec.type === 'ExternalName';
  const headless = spec.type === 'ClusterIP' && spec.clusterIP === 'None';
  const hasExternalIps = (spec.externalIPs ?? []).length > 0;
  const clusterIps = headless ? [] : (spec.clusterIPs ?? []);
  return [
    ...textsOf([
      [
        metadata.annotations?.[topologyHints] !== undefined,
        `annotation ${topologyHints} is deprecated, please use ${topologyMode} instead`,
      ],
    ]),
    ...clusterIps.flatMap((ip, index) => ipWarnings(`spec.clusterIPs[${index}]`, ip)),
    ...textsOf([
      [headless && (spec.loadBalancerIP ?? '') !== '', 'spec.loadBalancerIP is ignored for headless services'],
      [headless && hasExternalIps, 'spec.externalIPs is ignored for headless services'],
      [headless && spec.sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services'],
    ]),
    ...(spec.externalIPs ?? []).flatMap((ip, index) => ipWarnings(`spec.externalIPs[${index}]`, ip)),
    ...textsOf([
      [
        hasExternalIps && !headless && !external,
        'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
      ],
    ]),
    ...ipWarnings('spec.loadBalancerIP', spec.loadBalancerIP),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((range, index) =>
      cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, range),
    ),
    ...textsOf([
      [external && hasExternalIps, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
      [
        !external && (spec.externalName ?? '') !== '',
        'spec.externalName is ignored when spec.type is not "ExternalName"',
      ],
      [
        spec.trafficDistribution === 'PreferClose',
        `spec.trafficDistribution: ${goQuote('PreferClose')} is deprecated; use ${goQuote('PreferSameZone')}`,
      ],
    ]),
  ];
}

function textsOf(rows: readonly (readonly [applies: boolean, text: string])[]): string[] {
  return rows.flatMap(([applies, text]) => (applies ? [text] : []));
}
