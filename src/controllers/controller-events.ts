import type { Client } from '../api/client/client.ts';
import type { Clock } from '../api/time/clock.ts';
import { deadlineIn, msUntil } from '../api/time/deadline.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { formatTime, timeOf } from '../api/time/time.ts';
import { LruMap } from '../api/collections/lru-map.ts';
import type { Event } from '../schema/kubernetes/generated/types/core-v1.ts';
import { events } from './core-collections.ts';

/** An event about an object. */
export interface EventContent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface ControllerEventsOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The reporting component. */
  readonly component: string;
  readonly onError: (error: unknown) => void;
}

type StoredEvent = KubernetesObject & Event;

/** Repetitions within this time increase the count of the same event. */
const rememberedMs = 600_000;
const mostRemembered = 4096;

/** A controller's events about objects. Failures are only logged: nothing depends on events. */
export class ControllerEvents {
  readonly #options: ControllerEventsOptions;
  readonly #remembered = new LruMap<string, { event: StoredEvent; deadlineMs: number }>(mostRemembered);
  #number = 0;

  constructor(options: ControllerEventsOptions) {
    this.#options = options;
  }

  async tell(object: KubernetesObject, content: EventContent): Promise<void> {
    const { onError } = this.#options;
    const key = JSON.stringify([object.kind, object.metadata.uid, content]);
    const remembered = this.#remembered.get(key);
    this.#remembered.delete(key);
    try {
      const isRecent = remembered !== undefined && msUntil(remembered.deadlineMs) > 0;
      const event =
        (isRecent ? await this.#repeat(remembered.event) : undefined) ?? (await this.#create(object, content));
      this.#remembered.set(key, { event, deadlineMs: deadlineIn(rememberedMs) });
    } catch (error) {
      onError(error);
    }
  }

  async #create({ apiVersion, kind, metadata }: KubernetesObject, content: EventContent): Promise<StoredEvent> {
    const { client, clock, component } = this.#options;
    const { namespace = 'default', name = '', uid = '', resourceVersion = '' } = metadata;
    const now = this.#now();
    // In nanoseconds, most of which the clock provides.
    this.#number = (this.#number + 1) % 1_000_000;
    const unique = (BigInt(clock.now()) * 1_000_000n + BigInt(this.#number)).toString(16);
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${unique}`, namespace },
      involvedObject: { apiVersion, kind, namespace, name, uid, resourceVersion },
      ...content,
      source: { component },
      reportingComponent: component,
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    } satisfies Event;
    return (await client.create(events, event)) as StoredEvent; // of that kind
  }

  /** Undefined if the event is gone: events expire. */
  async #repeat(event: StoredEvent): Promise<StoredEvent | undefined> {
    const next = { ...event, count: (event.count ?? 1) + 1, lastTimestamp: this.#now() };
    try {
      return (await this.#options.client.update(events, next)) as StoredEvent; // of that kind
    } catch (error) {
      if (isReason(error, 'NotFound') || isReason(error, 'Conflict')) return undefined;
      throw error;
    }
  }

  #now(): string {
    return formatTime(timeOf(this.#options.clock.now()));
  }
}
