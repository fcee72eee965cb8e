import type { KubernetesObject } from '../../api/meta/object.ts';
import { formatTime, timeOf } from '../../api/time/time.ts';
import type { StoredPod } from '../pods.ts';
import { type StoredService, triggerTimeAnnotation } from './pod-endpoints.ts';

interface Known {
  readonly pods: ReadonlyMap<string, number>;
}

/** Finds the change that led to new endpoints, for measuring network programming latency. */
export class TriggerTimes {
  readonly #known = new Map<string, Known>();

  /** In milliseconds; undefined if nothing with a time has changed. To be called on every sync of a service. */
  next(key: string, service: StoredService, pods: readonly StoredPod[]): number | undefined {
    const before = this.#known.get(key);
    const times = new Map<string, number>();
    for (const pod of pods) {
      const time = readyTime(pod);
      if (time !== undefined) times.set(pod.metadata.name ?? '', time);
    }
    this.#known.set(key, { pods: times });
    if (before === undefined) return Date.parse(service.metadata.creationTimestamp ?? '');
    const changed = [...times].filter(([name, time]) => time > (before.pods.get(name) ?? Number.NEGATIVE_INFINITY));
    return changed.length === 0 ? undefined : Math.min(...changed.map(([, time]) => time));
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

function readyTime({ status }: StoredPod): number | undefined {
  const ready = (status?.conditions ?? []).find(({ type }) => type === 'Ready');
  const time = Date.parse(ready?.lastTransitionTime ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Without a time an earlier one goes. */
export function withTriggerTime<T extends KubernetesObject>(object: T, triggerMs: number | undefined): T {
  const { [triggerTimeAnnotation]: _, ...others } = object.metadata.annotations ?? {};
  const time = triggerMs === undefined ? {} : { [triggerTimeAnnotation]: formatTime(timeOf(triggerMs)) };
  return { ...object, metadata: { ...object.metadata, annotations: { ...others, ...time } } };
}
