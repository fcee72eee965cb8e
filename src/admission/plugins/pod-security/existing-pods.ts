import { goQuote } from '../../../api/go/go-quote.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { formatLevel, type LevelVersion } from './policy.ts';
import type { EvaluatedPod, Violation } from './violation.ts';

type StoredPod = KubernetesObject & Pod;

const mostPods = 3000;

interface NewLevel {
  readonly namespace: string;
  readonly level: LevelVersion;
  readonly isExempt: (pod: StoredPod) => boolean;
  readonly evaluatePod: (pod: EvaluatedPod, level: LevelVersion) => readonly Violation[];
}

/**
 * Warnings about existing pods of a namespace whose enforced level changes; pods with the same violations are grouped.
 */
export async function existingPodWarnings(
  stored: AsyncIterable<StoredPod>,
  { namespace, level, isExempt, evaluatePod }: NewLevel,
): Promise<string[]> {
  const pods: ExistingPod[] = [];
  for await (const pod of stored) {
    if (!isExempt(pod)) pods.push(existingPod(pod, evaluatePod(pod, level)));
  }
  const checked = oneOfEachControllerFirst(pods).slice(0, mostPods);
  const names = new Map<string, string[]>();
  for (const { name, reasons } of checked) {
    const others = names.get(reasons);
    if (others !== undefined) others.push(name);
    else if (reasons !== '') names.set(reasons, [name]);
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

/** What is remembered of a pod. */
interface ExistingPod {
  readonly name: string;
  /** The UID of its controller. */
  readonly owner: string | undefined;
  /** Empty if it violates nothing. */
  readonly reasons: string;
}

function existingPod({ metadata }: StoredPod, violations: readonly Violation[]): ExistingPod {
  const { name = '', ownerReferences = [] } = metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true)?.uid;
  return { name, owner, reasons: violations.map(({ reason }) => reason).join(', ') };
}

/** Pods of one controller are checked once. */
function oneOfEachControllerFirst(pods: readonly ExistingPod[]): readonly ExistingPod[] {
  const seen = new Set<string>();
  const duplicates: ExistingPod[] = [];
  const firsts = pods.filter((pod) => {
    const { owner } = pod;
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
