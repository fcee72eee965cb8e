import type { Container, Pod, PodSpec } from '../../schema/kubernetes/generated/types/core-v1.ts';

/** What a pod does that a level forbids. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** The part of pods and templates that is judged. */
export type JudgedPod = Pick<Pod, 'metadata' | 'spec'>;

export type PodCheck = (pod: JudgedPod) => Violation | undefined;

/** Every container in the order in which they are named. */
export function containersOf({
  initContainers = [],
  containers = [],
  ephemeralContainers = [],
}: PodSpec = {}): readonly Container[] {
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/** Names of the containers of which something is so. */
export function namesOf({ spec }: JudgedPod, is: (container: Container) => boolean): string[] {
  return containersOf(spec)
    .filter(is)
    .map(({ name = '' }) => name);
}

export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

/** Each once, in the order of their bytes. */
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

/** `pod and containers "a", "b"`; empty when nobody is to blame. */
export function blamed(pod: boolean, containers: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(containers.length === 0 ? [] : [counted('container', containers)])].join(
    ' and ',
  );
}

/** Pods with users of their own may do some of what others may not. */
export function hasOwnUsers({ spec }: JudgedPod): boolean {
  return spec?.hostUsers === false;
}

export function isWindows({ spec }: JudgedPod): boolean {
  return spec?.os?.name === 'windows';
}

/** The same check, but for pods of which something is so. */
export function unless(is: (pod: JudgedPod) => boolean, check: PodCheck): PodCheck {
  return (pod) => (is(pod) ? undefined : check(pod));
}
