import type { Container, Pod, PodSpec } from '../../../schema/kubernetes/generated/types/core-v1.ts';

/** One violation of a level. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** The parts of pods and templates that are evaluated. */
export type EvaluatedPod = Pick<Pod, 'metadata' | 'spec'>;

export type PodCheck = (pod: EvaluatedPod) => Violation | undefined;

/** All containers in the order in which messages list them. */
export function containersOf({
  initContainers = [],
  containers = [],
  ephemeralContainers = [],
}: PodSpec = {}): readonly Container[] {
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/** Names of the containers that match. */
export function namesOf({ spec }: EvaluatedPod, is: (container: Container) => boolean): string[] {
  return containersOf(spec)
    .filter(is)
    .map(({ name = '' }) => name);
}

export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

/** Sorted bytewise, without duplicates. */
export function distinct(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}

/** `container "a"`, `containers "a", "b"` */
export function counted(noun: string, items: readonly string[]): string {
  return `${plural(noun, items)} ${quoted(items)}`;
}

export function plural(noun: string, items: readonly unknown[]): string {
  return items.length === 1 ? noun : `${noun}s`;
}

/** `pod and containers "a", "b"`; empty without offenders. */
export function blamed(pod: boolean, containers: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(containers.length === 0 ? [] : [counted('container', containers)])].join(
    ' and ',
  );
}

/** Pods with their own user namespace are exempt from some checks. */
export function hasOwnUsers({ spec }: EvaluatedPod): boolean {
  return spec?.hostUsers === false;
}

export function isWindows({ spec }: EvaluatedPod): boolean {
  return spec?.os?.name === 'windows';
}

/** Restricts a check to pods that match. */
export function unless(is: (pod: EvaluatedPod) => boolean, check: PodCheck): PodCheck {
  return (pod) => (is(pod) ? undefined : check(pod));
}
