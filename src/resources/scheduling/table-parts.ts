import type { CompositePodGroup } from '../../schema/kubernetes/generated/types/scheduling-v1alpha3.ts';
import type { PodGroup } from '../../schema/kubernetes/generated/types/scheduling-v1beta1.ts';
import { textColumn } from '../parts/tables/define-table.ts';

export const policyColumn = textColumn('Policy', 'Whether its pods are scheduled as a group.');

export const workloadColumn = textColumn('Workload', 'Workload it belongs to.');

export function policyText({ spec }: Readonly<PodGroup | CompositePodGroup>): string {
  return spec?.schedulingPolicy?.gang === undefined ? 'Basic' : 'Gang';
}
