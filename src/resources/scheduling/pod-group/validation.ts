import { childPath, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import type { PodGroup } from '../../../schema/kubernetes/generated/types/scheduling-v1beta1.ts';
import { declaredOfObject } from '../../parts/rules/declared.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';

export function* podGroup(group: PodGroup): Errors {
  const { parentCompositePodGroupName, workloadRef } = group.spec ?? {};
  if (parentCompositePodGroupName !== undefined && workloadRef === undefined) {
    yield requiredField('spec.workloadRef', 'must be set when parentCompositePodGroupName is set');
  }
  yield* declaredOfObject(group);
}

export function* podGroupStatusUpdate(group: PodGroup, old: PodGroup): Errors {
  const { spec, status } = group;
  yield* statusConditions(status?.conditions, 'status.conditions');
  const claims = new Set(spec?.resourceClaims?.map(({ name = '' }) => name));
  for (const [index, { name = '' }] of status?.resourceClaimStatuses?.entries() ?? []) {
    if (claims.has(name)) continue;
    const path = childPath(keyPath('status.resourceClaimStatuses', index), 'name');
    yield invalidField(path, name, 'must match the name of an entry in `spec.resourceClaims`');
  }
  yield* declaredOfObject(group, old);
}
