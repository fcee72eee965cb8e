import type { FlowRequest } from '../classification/flow-request.ts';

const readOnly = new Set(['get', 'list', 'watch', 'proxy']);

type Watched = Pick<FlowRequest, 'group' | 'resource' | 'namespace' | 'name'>;

/** Running watches, by what they watch: the more there are, the more a write costs. */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Returns a function to be called when the watch ends. */
  add(watched: Watched): () => void {
    const key = keyOf(watched);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#counts.get(key) ?? 0) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }

  /** The watches that a write may be told to. */
  interestedIn({ verb, group, resource, namespace, name }: FlowRequest): number {
    if (this.#counts.size === 0 || readOnly.has(verb)) return 0;
    const of = (watched: Pick<Watched, 'namespace' | 'name'>): number =>
      this.#counts.get(keyOf({ group, resource, ...watched })) ?? 0;
    let count = of({ namespace: '', name: '' });
    if (namespace !== '') count += of({ namespace, name: '' });
    if (name !== '') count += of({ namespace, name });
    return count;
  }
}

function keyOf({ group, resource, namespace, name }: Watched): string {
  return `${group}/${resource}/${namespace}/${name}`;
}
