import type { JobSpec } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { podWarnings } from '../../parts/pod-template/warnings.ts';
import type { Warnings } from '../../parts/warnings/per-item.ts';

const manyCompletions = 100_000;
const manyAtOnce = 10_000;

export function* jobWarnings(path: string, spec: JobSpec = {}): Warnings {
  const isUntrackable =
    spec.completionMode === 'Indexed' &&
    (spec.completions ?? 0) > manyCompletions &&
    (spec.parallelism ?? 0) > manyAtOnce;
  if (isUntrackable) {
    yield `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`;
  }
  yield* podWarnings(`${path}.template`, spec.template ?? {});
}
