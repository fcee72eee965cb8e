import { goQuote } from '../../../api/go/go-quote.ts';
import { TimeSlice } from '../../../api/scheduling/time-slice.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { formatLevel, type LevelVersion } from './policy.ts';
import type { EvaluatedPod, Violation } from './violation.ts';

type StoredPod = KubernetesObject & Pod;

const mostPods = 3000;

interface NewLevel {
  readonly namespace: string;
  readonly level: LevelVersion;
  readonly evaluatePod: (pod: EvaluatedPod, level: LevelVersion) => readonly Violation[];
}

/**
 * Warnings about existing pods of a namespace whose enforced level changes; pods with the same violations are grouped.
 */
export async function existingPodWarnings(
  pods: readonly StoredPod[],
  { namespace, level, evaluatePod }: NewLevel,
): Promise<string[]> {
  const checked = oneOfEachControllerFirst(pods).slice(0, mostPods);
  const timeSlice = new TimeSlice();
  const names = new Map<string, string[]>();
  for (const pod of checked) {
    const violations = evaluatePod(pod, level);
    const reasons = violations.map(({ reason }) => reason).join(', ');
    const name = pod.metadata.name ?? '';
    const others = names.get(reasons);
    if (others !== undefined) others.push(name);
    else if (reasons !== '') names.set(reasons, [name]);
    if (timeSlice.isOver) await timeSlice.next();
  }
  const first = `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`;
  const head = `existing pods in namespace ${goQuote(namespace)} violate the new PodSecurity enforce level ${goQuote(formatLevel(level))}`;
  return [
    ...(checked.length < pods.length ? [first] : []),
    ...(names.size === 0 ? [] : [head]),
    ...[...names].map(([reasons, who]) => `${group(who)}: ${reasons}`).sort(),
  ];
}

function group(names: readonly string[]): string {
  const [first = ''] = names.toSorted();
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}

/** Pods of one controller are checked once. */
function oneOfEachControllerFirst(pods: readonly StoredPod[]): readonly StoredPod[] {
  const seen = new Set<string>();
  const duplicates: StoredPod[] = [];
  const firsts = pods.filter((pod) => {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    if (owner === undefined) return true;
    if (!seen.has(owner)) {
      seen.add(owner);
      return true;
    }
    duplicates.push(pod);
    return false;
  });
  return [...firsts, ...duplicates];
}
