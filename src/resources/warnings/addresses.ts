import type { Endpoints, Node, Pod, ServiceStatus } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { EndpointSlice } from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import type {
  IngressStatus,
  NetworkPolicy,
  NetworkPolicyPeer,
} from '../../schema/kubernetes/generated/types/networking-v1.ts';
import { cidrWarnings, ipWarnings } from './ip-texts.ts';

/** Controllers write addresses as they should be: their endpoints are not looked at. */
const managedByLabels = ['endpoints.kubernetes.io/managed-by', 'endpointslice.kubernetes.io/managed-by'] as const;
const managers: ReadonlySet<string | undefined> = new Set([
  'endpoint-controller',
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
]);

export function endpointsWarnings({ metadata, subsets = [] }: Endpoints): string[] {
  if (managers.has(metadata?.labels?.[managedByLabels[0]])) return [];
  return subsets.flatMap((subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip }, at) => ipWarnings(`subsets[${index}].${list}[${at}].ip`, ip)),
    ),
  );
}

export function endpointSliceWarnings({ metadata, endpoints = [] }: EndpointSlice): string[] {
  if (managers.has(metadata?.labels?.[managedByLabels[1]])) return [];
  return endpoints.flatMap(({ addresses = [] }, index) =>
    addresses.flatMap((address, at) => ipWarnings(`endpoints[${index}].addresses[${at}]`, address)),
  );
}

export function networkPolicyWarnings({ spec = {} }: NetworkPolicy): string[] {
  return [
    ...(spec.ingress ?? []).flatMap(({ from }, index) => peerWarnings(`spec.ingress[${index}].from`, from)),
    ...(spec.egress ?? []).flatMap(({ to }, index) => peerWarnings(`spec.egress[${index}].to`, to)),
  ];
}

function peerWarnings(path: string, peers: readonly NetworkPolicyPeer[] = []): string[] {
  return peers.flatMap(({ ipBlock }, index) => {
    if (ipBlock === undefined) return [];
    const { cidr, except = [] } = ipBlock;
    const blockPath = `${path}[${index}].ipBlock`;
    return [
      ...cidrWarnings(`${blockPath}.cidr`, cidr),
      ...except.flatMap((range, at) => cidrWarnings(`${blockPath}.except[${at}]`, range)),
    ];
  });
}

export function nodeWarnings({ spec = {} }: Node): string[] {
  return [
    ...(spec.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...((spec.externalID ?? '') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...(spec.podCIDRs ?? []).flatMap((range, index) => cidrWarnings(`spec.podCIDRs[${index}]`, range)),
  ];
}

/** Of services and ingresses. */
export function loadBalancerWarnings(status: ServiceStatus | IngressStatus = {}): string[] {
  return (status.loadBalancer?.ingress ?? []).flatMap(({ ip = '' }, index) =>
    ip === '' ? [] : ipWarnings(`status.loadBalancer.ingress[${index}]`, ip),
  );
}

export function podStatusWarnings({ status = {} }: Pod): string[] {
  return (['podIPs', 'hostIPs'] as const).flatMap((list) =>
    (status[list] ?? []).flatMap(({ ip }, index) => ipWarnings(`status.${list}[${index}].ip`, ip)),
  );
}
