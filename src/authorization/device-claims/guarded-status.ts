import type { FieldError } from '../../api/field-error.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Strategy, UpdateStrategy } from '../../registry/strategy.ts';
import type { ResourceClaim } from '../../schema/kubernetes/generated/types/resource-v1.ts';
import { statusRefusals } from './status-permission.ts';

/**
 * The strategy of claims with the permissions that single parts of their status need. Authorizers may have to be waited
 * for, so they are asked before anything is judged.
 */
export function withGuardedStatus(strategy: Strategy): Strategy {
  const { status = {} } = strategy.subresources ?? {};
  const refused = new WeakMap<object, readonly FieldError[]>();
  const guarded: UpdateStrategy = {
    ...status,
    async permitUpdate(object, old, context) {
      await status.permitUpdate?.(object, old, context);
      // Prepared as it will be: what has lost its allocation needs no permission to go.
      const prepared = { ...object, ...(statusOf(object) === undefined ? {} : { status: { ...statusOf(object) } }) };
      status.prepareForUpdate?.(prepared, old, context);
      const refusals = await statusRefusals(statusOf(prepared) ?? {}, statusOf(old) ?? {}, context);
      if (refusals.length > 0) refused.set(object, refusals);
    },
    *validateUpdate(object, old, context) {
      yield* refused.get(object) ?? [];
      if (status.validateUpdate !== undefined) yield* status.validateUpdate(object, old, context);
    },
  };
  return { ...strategy, subresources: { ...strategy.subresources, status: guarded } };
}

function statusOf(claim: Readonly<KubernetesObject>): ResourceClaim['status'] {
  return (claim as ResourceClaim).status; // decoded by the schema of the kind
}
