import type { ResourcePoolStatusRequest } from '../../../schema/kubernetes/generated/types/resource-v1alpha3.ts';
import { defineKind } from '../../define-kind.ts';

export const resourcePoolStatusRequestKind = defineKind<ResourcePoolStatusRequest>({
  group: 'resource.k8s.io',
  kind: 'ResourcePoolStatusRequest',
  strategy: {
    requireResourceVersion: true,
    statusKeepsMetadata: true,
  },
  answers: { returnsDeletedObject: true, statusHasNoTable: true },
  table: async () => (await import('./table.ts')).resourcePoolStatusRequests,
});
