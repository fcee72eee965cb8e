import { setImmediate } from 'node:timers/promises';
import type { Client } from '../api/client/client.ts';
import type { Clock } from '../api/time/clock.ts';
import { Mirror } from '../api/client/mirror.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { RuleTimes } from '../cel/rules/rule-times.ts';
import type { ConversionMetrics } from './conversion-metrics.ts';
import { type Definition, definitionOf, definitions, type KeptDefinition } from './definition.ts';
import { DefinitionStatus } from './definition-status.ts';
import { keptDefinition, KnownDefinitions } from './known-definitions.ts';
import type { WebhookServers } from '../outgoing/webhooks/webhook-client.ts';
import { ServedDefinitions } from './served-definitions.ts';

export interface FollowerOptions {
  readonly client: Client;
  readonly catalogue: LiveCatalogue;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly metrics: ConversionMetrics;
  readonly times: RuleTimes;
  /** Conversion webhooks. */
  readonly webhooks: WebhookServers;
}

const allDefinitions = { ...definitions, namespace: '' };

/**
 * Watches the stored definitions, whichever server wrote them, serves their kinds and maintains their conditions. Every
 * server of a store does so; one whose condition write loses the race gets a conflict and drops it.
 */
export class DefinitionFollower implements AsyncDisposable {
  readonly #options: FollowerOptions;
  readonly #served: ServedDefinitions;
  readonly #status: DefinitionStatus;
  readonly #known = new KnownDefinitions();
  /** By name, the uids of definitions deleted here whose DELETED event has not arrived yet. */
  readonly #gone = new Map<string, string>();
  readonly #stop = new AbortController();
  readonly #settled = Promise.withResolvers<void>();
  #following: Promise<void> = Promise.resolve();
  #isComplete = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#served = new ServedDefinitions(options.catalogue, {
      servers: options.webhooks,
      metrics: options.metrics,
      times: options.times,
    });
    this.#status = new DefinitionStatus({
      ...options,
      signal: this.#stop.signal,
      known: this.#known,
      written: (definition) => this.#written(definition),
    });
  }

  /**
   * Serves the definitions that already exist, then starts watching. If they cannot be listed, because one of them is
   * unreadable, it keeps trying after this has resolved.
   */
  async begin(): Promise<void> {
    const { client, onError } = this.#options;
    const mirror = new Mirror({
      client,
      collection: allDefinitions,
      onError,
      signal: this.#stop.signal,
      wants: this.#isNews,
      set: (object) => this.#notice(this.#kept(object)),
      remove: ({ name }) => {
        this.#gone.delete(name);
        this.#forget(name);
      },
    });
    const complete = (): void => {
      this.#isComplete = true;
      this.#settled.resolve();
    };
    try {
      await mirror.start();
      complete();
    } catch (error) {
      onError(error);
      this.#following = mirror.startRetrying().then(complete);
    }
  }

  /** Resolves when all stored definitions are served, or nothing waits for that any longer. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  stopWaiting(): void {
    this.#settled.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.stopWaiting();
    await this.#following;
    await this.#status[Symbol.asyncDispose]();
  }

  /** What has been written here is known already, or as soon as the write that the event tells of has returned. */
  readonly #isNews = (name: string, resourceVersion: string): Soon<boolean> => {
    const isOther = (): boolean => this.#known.get(name)?.metadata.resourceVersion !== resourceVersion;
    return isOther() && this.#status.isWriting(name) ? setImmediate().then(isOther) : isOther();
  };

  /**
   * Our own writes are applied before their watch events arrive. They leave the schemas as they are. A deleted
   * definition without finalizers is gone.
   */
  #written(definition: Definition): void {
    const { name = '', uid = '', deletionTimestamp, finalizers = [] } = definition.metadata;
    if (deletionTimestamp === undefined || finalizers.length > 0) {
      const kept = this.#known.kept(name);
      if (kept !== undefined && isSameKind(definition, kept.definition))
        this.#notice({ definition, schemas: kept.schemas });
      return;
    }
    // The event of the deletion may have been faster.
    if (this.#known.get(name)?.metadata.uid !== uid) return;
    this.#gone.set(name, uid);
    this.#forget(name);
  }

  #kept(object: Readonly<KubernetesObject>): KeptDefinition {
    const definition = definitionOf(object);
    const known = this.#known.kept(definition.metadata.name ?? '');
    return keptDefinition(
      definition,
      known !== undefined && isSameKind(definition, known.definition) ? known : undefined,
    );
  }

  #notice(kept: KeptDefinition): void {
    const { definition } = kept;
    const { name = '', uid = '' } = definition.metadata;
    if (this.#gone.get(name) === uid) return;
    const known = this.#known.get(name);
    // A write of our own may be newer than the event.
    if (known !== undefined && isOlder(definition, known)) return;
    this.#known.set(name, kept);
    this.#served.set(name, kept);
    this.#status.enqueue(name);
  }

  #forget(name: string): void {
    const definition = this.#known.get(name);
    if (definition === undefined) return;
    this.#known.delete(name);
    this.#served.delete(name);
    // Its names are free again.
    this.#status.enqueueGroup(definition.spec.group ?? '', name);
  }
}

/** Whether a write found the specification that is known; the watch tells of others. */
function isSameKind({ metadata }: Definition, { metadata: known }: Definition): boolean {
  return metadata.uid === known.uid && metadata.generation === known.generation;
}

function isOlder({ metadata }: Definition, { metadata: known }: Definition): boolean {
  return metadata.uid === known.uid && Number(metadata.resourceVersion) < Number(known.resourceVersion);
}
