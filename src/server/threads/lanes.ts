import { MessageChannel } from 'node:worker_threads';
import type { LaneUser } from './lane-senders.ts';
import type { RunningThread } from './running-thread.ts';

/** After a lane that did not start, requests are served without one for so long. */
const pauseMs = 10_000;

export interface LanesOptions {
  /** How many there may be. */
  readonly most: number;
  /** How long a lane that has something to do may be deaf before it is ended. */
  readonly deafMs: number;
  /** How long a lane has for what is left to be done after the last request. */
  readonly lastCallsMs: number;
  /** A lane for which there has been nothing to do for so long ends. */
  readonly idleMs: number;
  /** `number` is that of no other lane until the thread has ended. */
  readonly start: (name: string, number: number) => RunningThread;
  /** A lane is about to end: what it has counted stays. */
  readonly leaves: (name: string) => Promise<void>;
  /** A lane has not started, or has ended without having been told to. */
  readonly onProblem: (message: string, error: unknown) => void;
}

/**
 * Threads without a listener, for requests that would keep others waiting too long. The first one is started when it is
 * wanted; each ends when it has been idle for a minute.
 */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #users = new Set<LaneUser>();
  readonly #lanes = new Map<string, Lane>();
  /** Numbers of threads that have not ended, also of those that are about to. */
  readonly #numbers = new Set<number>();
  #isStarting = false;
  #pausesUntilMs = 0;
  #ended: Promise<void> | undefined;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** How many there are, or begin. */
  get size(): number {
    return this.#lanes.size;
  }

  /** Tells `user` of all lanes, until the result is disposed of. */
  connect(user: LaneUser): Disposable {
    this.#users.add(user);
    for (const [name, { thread }] of this.#lanes) introduce(user, name, thread);
    return { [Symbol.dispose]: () => void this.#users.delete(user) };
  }

  /** Some user has a request and knows no lane, or none that has nothing to do. */
  wanted(): void {
    if (this.#isStarting || this.#ended !== undefined || this.#lanes.size >= this.#options.most) return;
    if (performance.now() >= this.#pausesUntilMs) void this.#start();
    else if (this.#lanes.size === 0) this.#tellFailed();
  }

  /** Some user hands a request over to a lane that has none of it. */
  used(name: string): void {
    this.#lanes.get(name)?.use();
  }

  /** Ends all, with the requests that they still have. */
  end(): Promise<void> {
    const threads = [...this.#lanes.values()].map(({ thread }) => thread);
    for (const lane of this.#lanes.values()) lane[Symbol.dispose]();
    this.#tellFailed();
    return (this.#ended ??= Promise.all(threads.map((thread) => thread.end(this.#options.lastCallsMs))).then(
      () => undefined,
    ));
  }

  async #start(): Promise<void> {
    this.#isStarting = true;
    const { start, onProblem } = this.#options;
    const number = this.#freeNumber();
    const name = `lane-${number}`;
    const thread = start(name, number);
    this.#numbers.add(number);
    const lane = new Lane(thread, {
      idleMs: this.#options.idleMs,
      deafMs: this.#options.deafMs,
      onIdle: () => void this.#end(name),
      onDeaf: () => void thread.stop(new Error('a request has kept it busy for too long')),
    });
    this.#lanes.set(name, lane);
    void thread.ended.then((problem) => {
      lane[Symbol.dispose]();
      this.#numbers.delete(number);
      if (this.#lanes.get(name) === lane) this.#lanes.delete(name);
      if (problem === undefined || this.#ended !== undefined) return;
      onProblem('a lane for large requests has ended', problem);
      // Who wanted one meanwhile was not heard.
      if (hasServed) this.wanted();
    });
    let hasServed = false;
    try {
      await thread.serving;
      hasServed = true;
      for (const user of this.#users) introduce(user, name, thread);
    } catch {
      // Why, `ended` tells.
      this.#pausesUntilMs = performance.now() + pauseMs;
      this.#tellFailed();
    } finally {
      this.#isStarting = false;
    }
  }

  /** Nothing is lost: first, everybody lets go of it. */
  async #end(name: string): Promise<void> {
    const thread = this.#lanes.get(name)?.thread;
    this.#lanes.delete(name);
    await Promise.allSettled([...this.#users].map((user) => user.leave(name)));
    await this.#options.leaves(name);
    await thread?.end(this.#options.lastCallsMs);
  }

  #tellFailed(): void {
    for (const user of this.#users) user.failed();
  }

  #freeNumber(): number {
    let number = 1;
    while (this.#numbers.has(number)) number += 1;
    return number;
  }
}

function introduce(user: LaneUser, name: string, thread: RunningThread): void {
  const { port1, port2 } = new MessageChannel();
  thread.calls.tell('take', port1, [port1]);
  user.add({ name, port: port2 });
}

interface LaneOptions {
  readonly idleMs: number;
  readonly deafMs: number;
  readonly onIdle: () => void;
  readonly onDeaf: () => void;
}

/** A lane, which is looked after while it is used. */
class Lane implements Disposable {
  readonly thread: RunningThread;
  readonly #options: LaneOptions;
  #timer: NodeJS.Timeout | undefined;
  #usedMs = performance.now();
  #isEnded = false;

  constructor(thread: RunningThread, options: LaneOptions) {
    this.thread = thread;
    this.#options = options;
    this.#lookLater();
  }

  use(): void {
    this.#usedMs = performance.now();
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  #lookLater(): void {
    const { idleMs, deafMs } = this.#options;
    this.#timer = setTimeout(() => void this.#look(), Math.min(idleMs, deafMs) / 2).unref();
  }

  /** A lane that works on something large does not answer for a while. */
  async #look(): Promise<void> {
    const { idleMs, deafMs, onDeaf, onIdle } = this.#options;
    this.#timer = setTimeout(onDeaf, deafMs / 2).unref();
    const open = await this.thread.calls.call('openExchanges', undefined).catch(() => 0);
    clearTimeout(this.#timer);
    if (this.#isEnded) return;
    if (open > 0) this.use();
    if (performance.now() - this.#usedMs >= idleMs) onIdle();
    else this.#lookLater();
  }
}
