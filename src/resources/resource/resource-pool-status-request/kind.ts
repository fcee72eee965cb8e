import type { ResourcePoolStatusRequest } from '../../../schema/kubernetes/generated/types/resource-v1alpha3.ts';
import { defineKind } from '../../define-kind.ts';
import { declaredOfObject } from '../../parts/rules/declared.ts';
import { type Errors, immutable } from '../../parts/rules/rules.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';

export const resourcePoolStatusRequestKind = defineKind<ResourcePoolStatusRequest>({
  group: 'resource.k8s.io',
  kind: 'ResourcePoolStatusRequest',
  strategy: {
    requireResourceVersion: true,
    statusKeepsMetadata: true,
  },
  checks: {
    create: (request) => declaredOfObject(request),
    update: declaredOfObject,
    subresources: { status: statusUpdate },
  },
  responses: { returnsDeletedObject: true, statusHasNoTable: true },
  table: async () => (await import('./table.ts')).resourcePoolStatusRequests,
});

/** A status is written once. */
function* statusUpdate(request: ResourcePoolStatusRequest, old: ResourcePoolStatusRequest): Errors {
  if (old.status !== undefined) yield* immutable(request.status, old.status, 'status');
  else yield* statusConditions(request.status?.conditions, 'status.conditions');
  yield* declaredOfObject(request, old);
}
