import type { KubernetesObject } from '../../../api/meta/object.ts';

/** Name of the default class: the newest of several, then the first by name. */
export function newestDefault(
  classes: readonly Readonly<KubernetesObject>[],
  marks: readonly string[],
): string | undefined {
  const marked = classes
    .map(({ metadata }) => metadata)
    .filter(({ annotations = {} }) => marks.some((mark) => annotations[mark] === 'true'))
    .map(({ name = '', creationTimestamp = '' }) => ({ name, creationTimestamp }));
  marked.sort((a, b) => descending(a.creationTimestamp, b.creationTimestamp) || descending(b.name, a.name));
  return marked[0]?.name;
}

/** RFC 3339 times and names compare bytewise. */
function descending(a: string, b: string): number {
  return a === b ? 0 : a < b ? 1 : -1;
}
