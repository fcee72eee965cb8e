import type { EndpointSlice } from '../../../schema/kubernetes/generated/types/discovery-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import { raiseGeneration } from '../../parts/generation.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

export const endpointSliceStrategy: StrategyOf<EndpointSlice> = {
  generation: 'spec',
  prepareForCreate: (slice) => dropTopology(slice),
  prepareForUpdate(slice, old) {
    dropTopology(slice, old);
    if (!sameValue(slice.metadata.labels, old.metadata.labels)) raiseGeneration(slice, old);
  },
};

const hostname = 'kubernetes.io/hostname';

/** The deprecated topology is no longer written; the node it names moves to nodeName. */
function dropTopology(slice: EndpointSlice, old?: Readonly<EndpointSlice>): void {
  if (old !== undefined && sameValue(old.endpoints, slice.endpoints)) return;
  const known = new Set(old?.endpoints?.map(({ deprecatedTopology }) => deprecatedTopology?.[hostname]));
  for (const endpoint of slice.endpoints ?? []) {
    const node = endpoint.deprecatedTopology?.[hostname];
    if (endpoint.nodeName === undefined && node !== undefined && known.has(node)) endpoint.nodeName = node;
    delete endpoint.deprecatedTopology;
  }
}
