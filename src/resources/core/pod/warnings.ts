import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { ipWarnings } from '../../parts/addresses/ip-texts.ts';
import { podWarnings } from '../../parts/pod-template/warnings.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';
import { nameWarnings } from '../../parts/workload/warnings.ts';

export function* podStatusWarnings({ status = {} }: Pod): Warnings {
  for (const list of ['podIPs', 'hostIPs'] as const) {
    yield* perItem(status[list], ({ ip }, index) => ipWarnings(`status.${list}[${index}].ip`, ip));
  }
}

export function* newPodWarnings(pod: Pod): Warnings {
  yield* nameWarnings(pod.metadata?.name, "the Pod's hostname");
  yield* podWarnings('', pod);
}
