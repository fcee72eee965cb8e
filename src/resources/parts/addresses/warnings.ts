import type { Endpoints, Node, Pod, ServiceStatus } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { EndpointSlice } from '../../../schema/kubernetes/generated/types/discovery-v1.ts';
import type {
  IngressStatus,
  NetworkPolicy,
  NetworkPolicyPeer,
} from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { cidrWarnings, ipWarnings } from './ip-texts.ts';
import { perItem, type Warnings } from '../warnings/per-item.ts';

/** Controllers write addresses as they should be: their endpoints are not looked at. */
const managedByLabels = ['endpoints.kubernetes.io/managed-by', 'endpointslice.kubernetes.io/managed-by'] as const;
const managers: ReadonlySet<string | undefined> = new Set([
  'endpoint-controller',
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
]);

export function endpointsWarnings({ metadata, subsets = [] }: Endpoints): Warnings {
  if (managers.has(metadata?.labels?.[managedByLabels[0]])) return [];
  return perItem(subsets, function* (subset, index) {
    for (const list of ['addresses', 'notReadyAddresses'] as const) {
      yield* perItem(subset[list], ({ ip }, at) => ipWarnings(`subsets[${index}].${list}[${at}].ip`, ip));
    }
  });
}

export function endpointSliceWarnings({ metadata, endpoints = [] }: EndpointSlice): Warnings {
  if (managers.has(metadata?.labels?.[managedByLabels[1]])) return [];
  return perItem(endpoints, ({ addresses }, index) =>
    perItem(addresses, (address, at) => ipWarnings(`endpoints[${index}].addresses[${at}]`, address)),
  );
}

export function* networkPolicyWarnings({ spec = {} }: NetworkPolicy): Warnings {
  yield* perItem(spec.ingress, ({ from }, index) => peerWarnings(`spec.ingress[${index}].from`, from));
  yield* perItem(spec.egress, ({ to }, index) => peerWarnings(`spec.egress[${index}].to`, to));
}

function peerWarnings(path: string, peers: readonly NetworkPolicyPeer[] | undefined): Warnings {
  return perItem(peers, function* ({ ipBlock }, index) {
    if (ipBlock === undefined) return;
    const blockPath = `${path}[${index}].ipBlock`;
    yield* cidrWarnings(`${blockPath}.cidr`, ipBlock.cidr);
    yield* perItem(ipBlock.except, (range, at) => cidrWarnings(`${blockPath}.except[${at}]`, range));
  });
}

export function* nodeWarnings({ spec = {} }: Node): Warnings {
  if (spec.configSource !== undefined) yield 'spec.configSource: the feature is removed';
  if ((spec.externalID ?? '') !== '') yield 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
  yield* perItem(spec.podCIDRs, (range, index) => cidrWarnings(`spec.podCIDRs[${index}]`, range));
}

/** Of services and ingresses. */
export function loadBalancerWarnings(status: ServiceStatus | IngressStatus = {}): Warnings {
  return perItem(status.loadBalancer?.ingress, ({ ip = '' }, index) =>
    ip === '' ? [] : ipWarnings(`status.loadBalancer.ingress[${index}]`, ip),
  );
}

export function* podStatusWarnings({ status = {} }: Pod): Warnings {
  for (const list of ['podIPs', 'hostIPs'] as const) {
    yield* perItem(status[list], ({ ip }, index) => ipWarnings(`status.${list}[${index}].ip`, ip));
  }
}
