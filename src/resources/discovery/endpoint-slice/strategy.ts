import { dnsSubdomainErrors } from '../../../api/meta/names.ts';
import type { EndpointSlice } from '../../../schema/kubernetes/generated/types/discovery-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import { raiseGeneration } from '../../parts/generation.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

export const endpointSliceStrategy: StrategyOf<EndpointSlice> = {
  generation: 'spec',
  prepareForCreate: (slice) => dropTopology(slice),
  prepareForUpdate(slice, old) {
    const isChanged = !sameValue(old.endpoints, slice.endpoints);
    if (isChanged) dropTopology(slice, old);
    if (isChanged || !sameValue(slice.metadata.labels, old.metadata.labels)) raiseGeneration(slice, old);
  },
};

const hostname = 'kubernetes.io/hostname';

/**
 * The deprecated topology is no longer written, although an attempt counts as a change; the node that a stored one
 * names moves to nodeName.
 */
function dropTopology(slice: EndpointSlice, old?: Readonly<EndpointSlice>): void {
  const known = new Set(old?.endpoints?.map(({ deprecatedTopology }) => deprecatedTopology?.[hostname]));
  for (const endpoint of slice.endpoints ?? []) {
    const node = endpoint.deprecatedTopology?.[hostname];
    const isNode = node !== undefined && known.has(node) && dnsSubdomainErrors(node).length === 0;
    if (endpoint.nodeName === undefined && isNode) endpoint.nodeName = node;
    delete endpoint.deprecatedTopology;
  }
}
