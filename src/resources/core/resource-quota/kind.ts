import type { ResourceQuota } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { roundsUp } from '../../parts/amounts/resource-list.ts';
import { resourceQuota, resourceQuotaStatus, resourceQuotaUpdate } from './validation.ts';
import { resourceQuotaWarnings } from './warnings.ts';

export const resourceQuotaKind = defineKind<ResourceQuota>({
  group: '',
  kind: 'ResourceQuota',
  // Charges are written before quotas are read.
  strategy: ({ delayed }) => ({ beforeRead: () => delayed.flush() }),
  checks: { both: resourceQuota, update: resourceQuotaUpdate, subresources: { status: resourceQuotaStatus } },
  warnings: { create: resourceQuotaWarnings },
  responses: { returnsDeletedObject: true },
  defaults: {
    'io.k8s.api.core.v1.ResourceQuotaSpec': roundsUp('hard'),
    'io.k8s.api.core.v1.ResourceQuotaStatus': roundsUp('hard', 'used'),
  },
  table: async () => (await import('./table.ts')).resourceQuotas,
});
