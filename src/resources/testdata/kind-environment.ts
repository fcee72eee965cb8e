import { Metric } from '../../api/metrics/metric.ts';
import { DelayedWrites } from '../../api/scheduling/delayed-writes.ts';
import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { Strategy } from '../../registry/kinds/strategy.ts';
import { currentRelease } from '../../schema/kubernetes/api-enablement.ts';
import { resolveFeatureGates } from '../../schema/kubernetes/feature-gates.ts';
import type { KindEnvironment } from '../kind-environment.ts';

/** The environment of kinds in a server with default flags and without a store. */
export function kindEnvironment(changes: Partial<KindEnvironment> = {}): KindEnvironment {
  return {
    release: currentRelease,
    featureGates: resolveFeatureGates(new Map(), currentRelease),
    disabledPolicies: new Set(),
    services: {
      clusterIpRanges: ['10.0.0.0/24'],
      nodePortRange: { base: 30_000, size: 2_768 },
      registers: () => {
        throw new Error('there is no store');
      },
    },
    escalation: () => {
      throw new Error('there is no policy');
    },
    stored: () => {
      throw new Error('there is no store');
    },
    resourceOfKind: () => undefined,
    metric: (definition) => new Metric(definition),
    delayed: new DelayedWrites(),
    ...changes,
  };
}

/** A strategy of a kind without the allocation of addresses and ports, which are in a store. */
export function withoutAllocation(
  { group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>,
  strategy: Strategy,
): Strategy {
  if (group !== '' || kind !== 'Service') return strategy;
  const { beginCreate: _create, beginUpdate: _update, ...others } = strategy;
  return others;
}
