import type { Client, Collection } from '../../api/client/client.ts';
import { Mirror } from '../../api/client/mirror.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { flowSchemas, priorityLevels } from './collections.ts';

export interface FollowedConfigurationOptions {
  readonly client: Client;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Called with the state when it is known, and after changes, once for all that come together. */
export type ConfigurationListener = (configuration: StoredConfiguration) => void;

export interface StoredConfiguration {
  readonly schemas: readonly KubernetesObject[];
  readonly levels: readonly KubernetesObject[];
}

/** The stored FlowSchemas and PriorityLevelConfigurations. */
export class FollowedConfiguration {
  readonly #options: FollowedConfigurationOptions;
  readonly #schemas = new Map<string, KubernetesObject>();
  readonly #levels = new Map<string, KubernetesObject>();
  readonly #listeners = new Set<ConfigurationListener>();
  #started: Promise<void> | undefined;
  #isStarted = false;
  #isScheduled = false;

  constructor(options: FollowedConfigurationOptions) {
    this.#options = options;
  }

  /** Starts to follow the objects at the first call; resolves once they are known and have been passed on. */
  async follow(listener: ConfigurationListener): Promise<void> {
    await (this.#started ??= this.#start());
    this.#listeners.add(listener);
    listener(this.current);
  }

  get current(): StoredConfiguration {
    return { schemas: [...this.#schemas.values()], levels: [...this.#levels.values()] };
  }

  async #start(): Promise<void> {
    await Promise.all([this.#follow(flowSchemas, this.#schemas), this.#follow(priorityLevels, this.#levels)]);
    this.#isStarted = true;
  }

  #follow(collection: Collection, objects: Map<string, KubernetesObject>): Promise<void> {
    const { client, onError, signal } = this.#options;
    const mirror = new Mirror({
      client,
      collection,
      onError,
      signal,
      set: (object) => {
        objects.set(object.metadata.name ?? '', object);
        this.#schedule();
      },
      remove: ({ name }) => {
        if (objects.delete(name)) this.#schedule();
      },
    });
    return mirror.startRetrying();
  }

  #schedule(): void {
    if (!this.#isStarted || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#options.signal.aborted) this.#tell();
    });
  }

  #tell(): void {
    const { current } = this;
    for (const listener of this.#listeners) listener(current);
  }
}
