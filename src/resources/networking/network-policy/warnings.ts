import type { NetworkPolicy, NetworkPolicyPeer } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { cidrWarnings } from '../../parts/addresses/ip-texts.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';

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
