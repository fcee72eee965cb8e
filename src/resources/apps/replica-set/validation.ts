import type * as apps from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { type Errors, nonNegative } from '../../parts/rules/rules.ts';
import { replicaTemplate } from '../../parts/workload/validation.ts';

export function* replicaSet({ spec = {} }: apps.ReplicaSet): Errors {
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* replicaTemplate(spec, 'deployment', 'invalid label selector');
}
