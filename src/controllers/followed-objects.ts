import type { Collection, Lister } from '../api/client/client.ts';
import { Mirror } from '../api/client/mirror.ts';
import type { KubernetesObject } from '../api/meta/object.ts';

/** What is kept of a collection, updated on each change. */
export interface FollowedOptions<T> {
  /** Contained in the JSON of all objects that are kept; others, which may be large, are not decoded. */
  readonly mentions?: string;
  /** What is kept of an object; undefined: it is treated as nonexistent. */
  readonly keep: (object: KubernetesObject) => T | undefined;
  /** The group in which it is looked up with others; undefined: none. */
  readonly group?: (kept: T) => string | undefined;
  /** Called after each change by others has been applied; `now` is undefined for deleted objects. */
  readonly changed?: (change: {
    readonly now: T | undefined;
    readonly before: T | undefined;
    readonly key: string;
  }) => void;
}

export interface FollowedContext {
  readonly client: Lister<KubernetesObject>;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>();

/** The current objects of a collection, or what is kept of them. */
export class FollowedObjects<T> {
  /** Resolves when all objects have been read. */
  readonly ready: Promise<void>;
  readonly #options: FollowedOptions<T>;
  readonly #byNamespace = new Map<string, Map<string, T>>();
  /** By group and key. */
  readonly #groups = new Map<string, Map<string, T>>();
  /** The resource version of the latest watch event. */
  #heardVersion = 0;
  /** Own writes whose watch events have not arrived yet, by key. */
  readonly #written = new Map<string, { readonly uid: string; readonly version: number }>();

  constructor(collection: Collection, context: FollowedContext, options: FollowedOptions<T>) {
    this.#options = options;
    const mirror = new Mirror({
      ...context,
      collection,
      set: (object) => this.#hear(object),
      remove: ({ namespace, name }) => this.#hearOfEnd(namespace, name),
    });
    this.ready = mirror.startRetrying();
  }

  get(namespace: string, name: string): T | undefined {
    return this.#byNamespace.get(namespace)?.get(name);
  }

  /** By name; of objects that live in no namespace when it is empty. */
  within(namespace: string): ReadonlyMap<string, T> {
    return this.#byNamespace.get(namespace) ?? nothing;
  }

  /** The objects of a group. */
  in(group: string): readonly T[] {
    return [...(this.#groups.get(group)?.values() ?? [])];
  }

  *all(): Generator<T> {
    for (const objects of this.#byNamespace.values()) yield* objects.values();
  }

  /** Records an own write, so that work goes on from there before its watch event arrives. */
  learn(object: KubernetesObject): void {
    const { namespace = '', name = '', uid = '', resourceVersion = '' } = object.metadata;
    const version = Number(resourceVersion);
    const key = keyOf(namespace, name);
    // The watch event, in order, may arrive before the response to the write.
    if (version <= this.#heardVersion) return;
    this.#written.set(key, { uid, version });
    this.#keep(namespace, name, this.#options.keep(object));
  }

  /** Records an own deletion. */
  forget({ metadata }: KubernetesObject): void {
    const { namespace = '', name = '', uid = '' } = metadata;
    if (this.get(namespace, name) === undefined) return;
    this.#written.set(keyOf(namespace, name), { uid, version: Number.POSITIVE_INFINITY });
    this.#keep(namespace, name, undefined);
  }

  #hear(object: KubernetesObject): void {
    const { namespace = '', name = '', uid = '', resourceVersion = '' } = object.metadata;
    const key = keyOf(namespace, name);
    this.#heardVersion = Math.max(this.#heardVersion, Number(resourceVersion));
    const written = this.#written.get(key);
    if (written !== undefined && written.uid === uid && Number(resourceVersion) <= written.version) {
      if (Number(resourceVersion) === written.version) this.#written.delete(key);
      return;
    }
    this.#learn(namespace, name, this.#options.keep(object));
  }

  #hearOfEnd(namespace: string, name: string): void {
    this.#written.delete(keyOf(namespace, name));
    this.#learn(namespace, name, undefined);
  }

  #learn(namespace: string, name: string, now: T | undefined): void {
    const before = this.#keep(namespace, name, now);
    if (now === undefined && before === undefined) return;
    this.#options.changed?.({ now, before, key: keyOf(namespace, name) });
  }

  /** Returns what was kept before. */
  #keep(namespace: string, name: string, now: T | undefined): T | undefined {
    const before = setWithin(this.#byNamespace, namespace, { key: name, value: now });
    const { group } = this.#options;
    if (group === undefined) return before;
    const key = keyOf(namespace, name);
    const [was, is] = [before, now].map((kept) => (kept === undefined ? undefined : group(kept)));
    if (was !== undefined && was !== is) setWithin(this.#groups, was, { key, value: undefined });
    if (is !== undefined) setWithin(this.#groups, is, { key, value: now });
    return before;
  }
}

/** Sets or, without a value, deletes an entry of one of several maps; returns its former value. */
function setWithin<T>(
  maps: Map<string, Map<string, T>>,
  name: string,
  { key, value }: { readonly key: string; readonly value: T | undefined },
): T | undefined {
  const map = maps.get(name);
  const before = map?.get(key);
  if (value !== undefined) {
    if (map === undefined) maps.set(name, new Map([[key, value]]));
    else map.set(key, value);
  } else if (map?.delete(key) === true && map.size === 0) maps.delete(name);
  return before;
}

/** `namespace/name`, as work queues know objects. */
export function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

export function partsOfKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
