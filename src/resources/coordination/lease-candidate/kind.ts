import { configMapKeyErrors } from '../../../api/meta/names.ts';
import type { LeaseCandidate } from '../../../schema/kubernetes/generated/types/coordination-v1beta1.ts';
import { defineKind } from '../../define-kind.ts';
import { leaseCandidate, leaseCandidateUpdate } from './validation.ts';

export const leaseCandidateKind = defineKind<LeaseCandidate>({
  group: 'coordination.k8s.io',
  kind: 'LeaseCandidate',
  strategy: { requireResourceVersion: true, allowCreateOnUpdate: true, nameRule: configMapKeyErrors },
  checks: { create: leaseCandidate, update: leaseCandidateUpdate, anyFinalizer: true },
  table: async () => (await import('./table.ts')).leaseCandidates,
});
