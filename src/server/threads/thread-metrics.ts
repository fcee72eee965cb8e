import { combined } from '../../metrics/over-threads.ts';
import type { MetricSnapshot, ThreadSnapshot } from '../../metrics/metric-snapshot.ts';
import type { OtherMetrics } from '../../metrics/request-metrics.ts';
import { resultInTime } from './result-in-time.ts';
import { firstThreadName } from './thread-limits.ts';

const cumulative: ReadonlySet<string> = new Set(['counter', 'histogram', 'summary']);

interface Followed {
  readonly read: () => Promise<readonly MetricSnapshot[]>;
  /** As of the last time that somebody wanted to know. */
  latest: readonly MetricSnapshot[];
}

/**
 * What the threads beside the first one have counted. Nothing is asked until somebody reads metrics. Counts that have
 * been shown stay when their thread has ended: they must never go down.
 */
export class ThreadMetrics implements OtherMetrics {
  readonly ownName = firstThreadName;
  readonly #threads = new Map<string, Followed>();
  #kept: readonly MetricSnapshot[] = [];

  add(thread: string, read: Followed['read']): void {
    this.#threads.set(thread, { read, latest: [] });
  }

  /** A thread is about to end: what it has counted up to now is kept. */
  async leaves(thread: string): Promise<void> {
    const followed = this.#threads.get(thread);
    if (followed !== undefined) await refresh(followed);
  }

  /** A thread has ended. */
  remove(thread: string): void {
    const gone = this.#threads.get(thread)?.latest.filter(({ type }) => cumulative.has(type)) ?? [];
    this.#threads.delete(thread);
    const byName = Map.groupBy([...this.#kept, ...gone], ({ name }) => name);
    this.#kept = Array.from(byName.values(), (all) => combined(all.map((snapshot) => ({ thread, snapshot })))).map(
      withoutSketches,
    );
  }

  async read(): Promise<readonly ThreadSnapshot[]> {
    await Promise.all(Array.from(this.#threads.values(), refresh));
    const running = Array.from(this.#threads, ([thread, { latest }]) => ({ thread, metrics: latest }));
    return this.#kept.length === 0 ? running : [...running, { thread: '', metrics: this.#kept }];
  }
}

/** A thread that does not answer in time is shown as it was when it last did. */
async function refresh(followed: Followed): Promise<void> {
  followed.latest = (await resultInTime(followed.read())) ?? followed.latest;
}

/** Summaries forget values after some minutes. */
function withoutSketches(snapshot: MetricSnapshot): MetricSnapshot {
  if (snapshot.type !== 'summary') return snapshot;
  return { ...snapshot, series: snapshot.series.map(({ sketch: _forgotten, ...series }) => series) };
}
