import { isDeepStrictEqual } from 'node:util';
import type { Endpoint, EndpointHints } from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import type { SlicePlan, StoredSlice } from './slice-plan.ts';

/** The hints that an endpoint should have; `keep` leaves them alone. */
export type HintRule = (endpoint: Endpoint) => EndpointHints | undefined | 'keep';

export const noHints: HintRule = () => undefined;

/** For services with `trafficDistribution`: ready endpoints serve their own zone, or node. */
export function closeHints(trafficDistribution: string): HintRule {
  return (endpoint) => {
    if (!isEndpointReady(endpoint)) return 'keep';
    const { zone, nodeName } = endpoint;
    const byNode = trafficDistribution === 'PreferSameNode' && nodeName !== undefined;
    if (zone === undefined && !byNode) return undefined;
    return {
      ...(zone === undefined ? {} : { forZones: [{ name: zone }] }),
      ...(byNode ? { forNodes: [{ name: nodeName }] } : {}),
    };
  };
}

/** Sets hints in the slices of the plan, and adds slices whose hints differ. */
export function applyHints(plan: SlicePlan, unchanged: readonly StoredSlice[], rule: HintRule): void {
  for (const slice of [...plan.create, ...plan.update]) {
    if (slice.endpoints !== undefined) slice.endpoints = hinted(slice, rule);
  }
  for (const slice of unchanged) {
    const endpoints = hinted(slice, rule);
    if (!isDeepStrictEqual(endpoints, slice.endpoints ?? [])) plan.update.push({ ...slice, endpoints });
  }
}

function hinted({ endpoints = [] }: StoredSlice, rule: HintRule): Endpoint[] {
  return endpoints.map((endpoint) => {
    const hints = rule(endpoint);
    if (hints === 'keep') return endpoint;
    const { hints: _, ...rest } = endpoint;
    return hints === undefined ? rest : { ...rest, hints };
  });
}

export function isEndpointReady({ conditions }: Endpoint): boolean {
  return conditions?.ready === true;
}
