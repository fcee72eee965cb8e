import { Attempts } from '../scheduling/attempts.ts';
import type { ClientWatchOptions, Collection, Lister } from './client.ts';
import type { KubernetesObject } from '../meta/object.ts';
import { TimeSlice } from '../scheduling/time-slice.ts';

export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** Objects as a client lists them. */
interface Named {
  readonly metadata: { readonly namespace?: string; readonly name?: string };
}

export interface MirrorOptions<Item extends Named = KubernetesObject> {
  readonly client: Lister<Item>;
  readonly collection: Collection;
  /** An object was added or updated. */
  readonly set: (object: Item) => void;
  readonly remove: (name: ObjectName) => void;
  readonly onError: (error: unknown) => void;
  /** Stops it: nothing is reported any more. */
  readonly signal: AbortSignal;
  readonly wants?: ClientWatchOptions['wants'];
}

/** As kube-apiserver's own watchers; chance adds up to as much. */
const longestDelayMs = 30_000;

/**
 * Reports all objects of a collection, then every change including deletions, whatever happens to the watch in between.
 */
export class Mirror<Item extends Named = KubernetesObject> {
  readonly #options: MirrorOptions<Item>;
  readonly #attempts: Attempts;
  #known = new Map<string, ObjectName>();

  constructor(options: MirrorOptions<Item>) {
    this.#options = options;
    this.#attempts = new Attempts({ longestMs: longestDelayMs, onError: options.onError });
  }

  /**
   * Resolves once all objects have been reported; rejects when they cannot be listed. From then on it follows changes.
   */
  async start(): Promise<void> {
    const resourceVersion = await this.#list();
    void this.#follow(resourceVersion);
  }

  /** Starts, and retries for as long as the objects cannot be listed. */
  async startRetrying(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      try {
        await this.start();
        return;
      } catch (error) {
        // What it read from may be closed after it has been stopped.
        if (signal.aborted) return;
        this.#attempts.failed(error);
        await this.#attempts.pause(signal);
      }
    }
  }

  async #follow(from: string): Promise<void> {
    const { client, collection, signal, wants } = this.#options;
    let resourceVersion: string | undefined = from;
    while (!signal.aborted) {
      try {
        resourceVersion ??= await this.#list();
        for await (const { type, object } of client.watch(collection, { resourceVersion, signal, wants })) {
          if (signal.aborted) return;
          this.#attempts.startOver();
          if (type === 'DELETED') this.#remove(nameOf(object));
          else this.#set(object);
        }
      } catch (error) {
        if (!signal.aborted) this.#attempts.failed(error);
      }
      resourceVersion = undefined;
      await this.#attempts.pause(signal);
    }
  }

  async #list(): Promise<string> {
    const { client, collection, signal } = this.#options;
    const { items, resourceVersion } = await client.list(collection);
    this.#attempts.succeeded();
    const timeSlice = new TimeSlice();
    const gone = this.#known;
    this.#known = new Map();
    for (const object of items) {
      if (timeSlice.isOver) await timeSlice.next();
      // Nobody would end what begins now.
      if (signal.aborted) return resourceVersion;
      gone.delete(keyOf(nameOf(object)));
      this.#set(object);
    }
    for (const name of gone.values()) this.#options.remove(name);
    return resourceVersion;
  }

  #set(object: Item): void {
    const name = nameOf(object);
    this.#known.set(keyOf(name), name);
    this.#options.set(object);
  }

  #remove(name: ObjectName): void {
    this.#known.delete(keyOf(name));
    this.#options.remove(name);
  }
}

function nameOf({ metadata: { namespace = '', name = '' } }: Named): ObjectName {
  return { namespace, name };
}

function keyOf({ namespace, name }: ObjectName): string {
  return `${namespace}/${name}`;
}
