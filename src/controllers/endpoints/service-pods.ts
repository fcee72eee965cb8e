import { isDeepStrictEqual } from 'node:util';
import { keptBy } from '../../api/collections/kept-by.ts';
import type { ControlLoop } from '../control-loop.ts';
import { pods, services } from '../core-collections.ts';
import { type FollowedObjects, keyOf } from '../followed-objects.ts';
import type { StoredPod } from '../pods.ts';
import { hasMoved, type StoredService } from './pod-endpoints.ts';

/** Follows services and, once one has a selector, pods; enqueues services whose endpoints may have changed. */
export class ServicePods {
  readonly services: FollowedObjects<StoredService>;
  readonly #loop: ControlLoop;
  readonly #batchPeriodMs: number;
  #pods: FollowedObjects<StoredPod> | undefined;

  /** Delay between the change of a pod and the enqueuing of its services: pods seldom change alone. */
  constructor(loop: ControlLoop, batchPeriodMs: number) {
    this.#loop = loop;
    this.#batchPeriodMs = batchPeriodMs;
    this.services = loop.follow(services, {
      keep: (service) => service as StoredService, // decoded by its schema
      changed: ({ key }) => loop.queue.add(key),
    });
  }

  /** Resolves when pods are known. */
  ready(): Promise<void> {
    this.#pods ??= this.#followPods();
    return this.#pods.ready;
  }

  /** The pods that a service selects; none before pods are known. */
  of({ metadata: { namespace = '' }, spec }: StoredService): readonly StoredPod[] {
    const selected: StoredPod[] = [];
    for (const pod of this.#pods?.within(namespace).values() ?? []) {
      if (selects(spec?.selector, pod)) selected.push(pod);
    }
    return selected;
  }

  #followPods(): FollowedObjects<StoredPod> {
    return this.#loop.follow(pods, {
      keep: (pod) => pod as StoredPod, // decoded by its schema
      changed: ({ now, before }) => {
        const states = [now, before].filter((pod) => pod !== undefined);
        if (now !== undefined && before !== undefined && !concerns(before, now)) return;
        for (const pod of states) this.#add(pod);
      },
    });
  }

  #add(pod: StoredPod): void {
    const { namespace = '' } = pod.metadata;
    for (const [name, { spec }] of this.services.within(namespace)) {
      if (selects(spec?.selector, pod)) this.#loop.queue.addAfter(keyOf(namespace, name), this.#batchPeriodMs);
    }
  }
}

type Selector = { readonly [label: string]: string };

const pairsOf = keptBy((selector: Selector) => Object.entries(selector));

/** A service without a selector selects nothing. */
function selects(selector: Selector | undefined, { metadata: { labels = {} } }: StoredPod): boolean {
  return selector !== undefined && pairsOf(selector).every(([label, value]) => labels[label] === value);
}

function concerns(before: StoredPod, now: StoredPod): boolean {
  return (
    !isDeepStrictEqual(before.metadata.labels, now.metadata.labels) ||
    before.spec?.hostname !== now.spec?.hostname ||
    before.spec?.subdomain !== now.spec?.subdomain ||
    hasMoved(before, now)
  );
}
