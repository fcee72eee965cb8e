import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Strategy, UpdateStrategy } from '../../registry/kinds/strategy.ts';
import type { ResourceClaim } from '../../schema/kubernetes/generated/types/resource-v1.ts';
import { statusRefusals } from './status-permission.ts';

/** The strategy of claims with the permissions that single parts of their status need. */
export function withGuardedStatus(strategy: Strategy): Strategy {
  const { status = {} } = strategy.subresources ?? {};
  const guarded: UpdateStrategy = {
    ...status,
    async permitUpdate(object, old, context) {
      await status.permitUpdate?.(object, old, context);
      // Prepared as it will be: what has lost its allocation needs no permission to go.
      const prepared = { ...object, ...(statusOf(object) === undefined ? {} : { status: { ...statusOf(object) } }) };
      status.prepareForUpdate?.(prepared, old, context);
      const first = await statusRefusals(statusOf(prepared) ?? {}, statusOf(old) ?? {}, context);
      return first.length > 0 ? { first } : undefined;
    },
  };
  return { ...strategy, subresources: { ...strategy.subresources, status: guarded } };
}

function statusOf(claim: Readonly<KubernetesObject>): ResourceClaim['status'] {
  return (claim as ResourceClaim).status; // decoded by the schema of the kind
}
