import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../api/time/clock.ts';
import { nameRules } from '../api/meta/names.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { formatMicroTime, timeOf } from '../api/time/time.ts';
import { create } from '../operations/create.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import { modify } from '../operations/modify.ts';
import type { Operation } from '../operations/operation.ts';
import { objectKey } from '../registry/stored/store-kind.ts';
import type { Event } from '../schema/kubernetes/generated/types/events-v1.ts';
import { systemOperation, systemWrite } from './system-operation.ts';

/** A problem with an object. */
export interface Warning {
  readonly regarding: KubernetesObject;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

export interface EventRecorderOptions {
  readonly kinds: () => KindRegistry;
  readonly clock: Clock;
  /** The reporting controller. */
  readonly controller: string;
  readonly onError: (error: unknown) => void;
}

interface RecordedEvent {
  readonly namespace: string;
  readonly name: string;
  count: number;
}

/** Records the server's findings as Events; a repeated finding increments the count of its Event. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  recorded = new Map<string, RecordedEvent>();
  #number = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Records the findings of one pass. Findings missing from it are forgotten: if they recur they get a new Event. */
  async tell(warnings: readonly Warning[]): Promise<void> {
    const recorded = new Map<string, RecordedEvent>();
    for (const warning of warnings) {
      const key = `${warning.regarding.metadata.uid} ${warning.reason} ${warning.note}`;
      const before = recorded.get(key) ?? this.recorded.get(key);
      try {
        const repeated = before !== undefined && (await this.#repeat(before));
        recorded.set(key, repeated ? before : await this.#create(warning));
      } catch (error) {
        this.#options.onError(error);
      }
    }
    this.recorded = recorded;
  }

  async #create({ regarding, ...what }: Warning): Promise<RecordedEvent> {
    const { clock, controller } = this.#options;
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = regarding.metadata;
    const place = namespace === '' ? 'default' : namespace;
    // Nanoseconds; the clock provides only the milliseconds.
    this.#number += 1;
    const plain = `${name}.${(BigInt(clock.now()) * 1_000_000n + BigInt(this.#number)).toString(16)}`;
    const eventName = nameRules.dnsSubdomain(plain, false).length === 0 ? plain : randomUUID();
    const event: KubernetesObject & Event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: eventName, namespace: place },
      eventTime: this.#now(),
      reportingController: controller,
      reportingInstance: `${controller}-${hostname()}`,
      type: 'Warning',
      ...what,
      regarding: {
        apiVersion: regarding.apiVersion,
        kind: regarding.kind,
        name,
        uid,
        resourceVersion,
        ...(namespace === '' ? {} : { namespace }),
      },
    };
    await create(this.#operation(place), event, systemWrite);
    return { namespace: place, name: eventName, count: 1 };
  }

  /** False if the Event is gone, since Events expire, or cannot be read any more. */
  async #repeat(recorded: RecordedEvent): Promise<boolean> {
    const operation = this.#operation(recorded.namespace);
    const { store } = operation.scope;
    const { kv } = (await store?.storage.get(objectKey(store, recorded.namespace, recorded.name))) ?? {};
    if (kv === undefined || kv.unreadable !== undefined) return false;
    recorded.count += 1;
    const series = { count: recorded.count, lastObservedTime: this.#now() };
    await modify(operation, recorded.name, (event) => ({ ...(event as KubernetesObject), series }), systemWrite);
    return true;
  }

  #now(): string {
    return formatMicroTime(timeOf(this.#options.clock.now()));
  }

  #operation(namespace: string): Operation {
    const { kinds, clock } = this.#options;
    const now = kinds();
    const scope = now.scopeOf('events.k8s.io', 'v1', 'events');
    if (scope === undefined) throw new Error('events are not served');
    return systemOperation(scope, { kinds: now, clock, namespace });
  }
}
