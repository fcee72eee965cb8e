import type { Endpoints } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { managedByLabels, managers } from '../../parts/addresses/endpoint-managers.ts';
import { ipWarnings } from '../../parts/addresses/ip-texts.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';

export function endpointsWarnings({ metadata, subsets = [] }: Endpoints): Warnings {
  if (managers.has(metadata?.labels?.[managedByLabels[0]])) return [];
  return perItem(subsets, function* (subset, index) {
    for (const list of ['addresses', 'notReadyAddresses'] as const) {
      yield* perItem(subset[list], ({ ip }, at) => ipWarnings(`subsets[${index}].${list}[${at}].ip`, ip));
    }
  });
}
