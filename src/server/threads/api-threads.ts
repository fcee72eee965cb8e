import { pause } from '../../api/scheduling/pause.ts';
import type { Lanes } from './lanes.ts';
import type { RunningThread } from './running-thread.ts';
import type { ThreadStarter } from './thread-starter.ts';

/** A thread that did not live this long may be unable to: the next one is not started at once. */
const shortLifeMs = 10_000;
const pauseMs = 1_000;
/** How long a thread has for what is left to be done after the last request. */
export const lastCallsMs = 10_000;

export interface ApiThreadsOptions {
  readonly starter: ThreadStarter;
  /** Serve their large requests; undefined: there are none. */
  readonly lanes: Lanes | undefined;
  /** One that has had nothing to do for this long ends; undefined: none does. */
  readonly idleMs: number | undefined;
}

/** The threads that listen on the port beside the first one. One that dies is replaced. */
export class ApiThreads {
  readonly #options: ApiThreadsOptions;
  readonly #threads = new Map<string, RunningThread>();
  /** The names of those that have begun to serve. */
  readonly #serving = new Set<string>();
  readonly #stop = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(options: ApiThreadsOptions) {
    this.#options = options;
  }

  /** How many there are, also of those that begin and end. */
  get size(): number {
    return this.#threads.size;
  }

  /** The threads that serve. */
  get serving(): readonly RunningThread[] {
    return [...this.#serving].flatMap((name) => this.#threads.get(name) ?? []);
  }

  /** Starts so many more; resolves when they listen on the port. Rejects if one of them cannot. */
  async start(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#startOne()));
  }

  /** Ends what clients are served on them, for which there are `graceMs`, and the threads. */
  end(graceMs: number): Promise<void> {
    this.#stop.abort();
    return (this.#ended ??= Promise.all(Array.from(this.#threads.values(), (each) => each.end(graceMs))).then(
      () => undefined,
    ));
  }

  /** Resolves once it listens. */
  async #startOne(): Promise<void> {
    const { starter, lanes, idleMs } = this.#options;
    if (this.#stop.signal.aborted) throw new Error('the server ends');
    const startedMs = performance.now();
    const number = this.#freeNumber();
    const name = nameOf(number);
    const thread = starter.start({
      name,
      listens: true,
      seatThread: number,
      idleMs,
      calls: {
        laneWanted: () => lanes?.wanted(),
        laneUsed: (lane) => lanes?.used(lane),
        idle: () => void this.#retire(name),
      },
    });
    this.#threads.set(name, thread);
    void thread.ended.then(() => {
      this.#threads.delete(name);
      this.#serving.delete(name);
    });
    await thread.serving;
    this.#serving.add(name);
    const using = lanes?.connect({
      add: (lane) => thread.calls.tell('addLane', lane, [lane.port]),
      leave: (lane) => thread.calls.call('leaveLane', lane),
      failed: () => thread.calls.tell('lanesFailed', undefined),
    });
    void thread.ended.then(async (problem) => {
      using?.[Symbol.dispose]();
      if (problem === undefined || this.#stop.signal.aborted) return;
      starter.tellLog('a thread has ended, another one takes its place', problem);
      await this.#replace(performance.now() - startedMs < shortLifeMs ? pauseMs : 0);
    });
  }

  /** Ends one that nobody needs; what it has counted stays. */
  async #retire(name: string): Promise<void> {
    const thread = this.#threads.get(name);
    if (thread === undefined || this.#stop.signal.aborted || !this.#serving.delete(name)) return;
    try {
      await thread.calls.call('retire', undefined);
      await this.#options.starter.metrics.leaves(name);
    } catch (error) {
      this.#options.starter.tellLog('a thread did not end by itself', error);
    }
    await thread.end(lastCallsMs);
  }

  /** Few numbers, so that metrics with the names of threads stay few. */
  #freeNumber(): number {
    let number = 1;
    while (this.#threads.has(nameOf(number))) number += 1;
    return number;
  }

  async #replace(delayMs: number): Promise<void> {
    const { signal } = this.#stop;
    for (let wait = delayMs; !signal.aborted; wait = pauseMs) {
      await pause(wait, signal);
      if (signal.aborted) return;
      try {
        await this.#startOne();
        return;
      } catch (error) {
        this.#options.starter.tellLog('a thread did not start', error);
      }
    }
  }
}

function nameOf(number: number): string {
  return `api-${number}`;
}
