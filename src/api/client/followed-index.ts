import type { Client } from './client.ts';
import type { GroupVersionResource } from '../meta/group-version.ts';
import { Mirror, type ObjectName } from './mirror.ts';
import type { KubernetesObject } from '../meta/object.ts';

/** How objects of a resource enter an index. */
export interface IndexReader<Index> {
  readonly resource: GroupVersionResource;
  readonly set: (index: Index, object: KubernetesObject) => void;
  readonly remove: (index: Index, name: ObjectName) => void;
}

export interface FollowedIndexOptions<Index> {
  readonly client: Client;
  readonly onError: (error: unknown) => void;
  readonly make: () => Index;
  readonly readers: readonly IndexReader<Index>[];
}

/** An index of stored objects: built at first use, kept up to date from then on. */
export class FollowedIndex<Index> implements Disposable {
  readonly #options: FollowedIndexOptions<Index>;
  readonly #stop = new AbortController();
  #ready: Promise<Index> | undefined;
  #index: Index | undefined;

  constructor(options: FollowedIndexOptions<Index>) {
    this.#options = options;
  }

  /** Undefined until it has been built. */
  get index(): Index | undefined {
    return this.#index;
  }

  /** Rejects when the objects cannot be read; the next call tries again. */
  ready(): Promise<Index> {
    this.#ready ??= this.#start().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  async #start(): Promise<Index> {
    const { client, onError, make, readers } = this.#options;
    const index = make();
    const attempt = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, attempt.signal]);
    try {
      await Promise.all(
        readers.map(({ resource, set, remove }) =>
          new Mirror({
            client,
            collection: {
              group: resource.group,
              version: resource.version,
              resource: resource.resource,
              namespace: '',
            },
            set: (object) => set(index, object),
            remove: (name) => remove(index, name),
            onError,
            signal,
          }).start(),
        ),
      );
    } catch (error) {
      attempt.abort();
      throw error;
    }
    this.#index = index;
    return index;
  }
}
