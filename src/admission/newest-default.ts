import type { KubernetesObject } from '../api/object.ts';

/** The name of the class that is marked as default: of several the youngest, then the first by name. */
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

/** Times of one form and names are in the order of their bytes. */
function descending(a: string, b: string): number {
  return a === b ? 0 : a < b ? 1 : -1;
}
