import type { EndpointSlice } from '../../../schema/kubernetes/generated/types/discovery-v1.ts';
import { managedByLabels, managers } from '../../parts/addresses/endpoint-managers.ts';
import { ipWarnings } from '../../parts/addresses/ip-texts.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';

export function endpointSliceWarnings({ metadata, endpoints = [] }: EndpointSlice): Warnings {
  if (managers.has(metadata?.labels?.[managedByLabels[1]])) return [];
  return perItem(endpoints, ({ addresses }, index) =>
    perItem(addresses, (address, at) => ipWarnings(`endpoints[${index}].addresses[${at}]`, address)),
  );
}
