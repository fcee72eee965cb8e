import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn, msUntil, waitAtMost } from '../api/time/deadline.ts';
import type { ServerConfig } from './config.ts';

export interface LifecycleOptions {
  /** Names of the start hooks, in the order of health checks. */
  readonly hooks: readonly string[];
  /** `/livez` succeeds for this long even if start hooks have not finished. */
  readonly livezGracePeriodMs: number;
}

/** For parts that others know the server by. */
export interface Leaving {
  /** Calls `leave`, which must not reject, when the server is asked to stop, while it still serves. */
  readonly onLeave: (leave: () => Promise<void>) => void;
}

/** What is told of changes. */
export interface LifecycleFollower {
  /** A start hook has finished. */
  readonly finished: (hook: string) => void;
  /** The server has been asked to stop. */
  readonly left: () => void;
}

/** How long a server that stops tells others so, if the store is unreachable. */
const farewellMs = 10_000;

/** The state of the server between start and stop. */
export class Lifecycle implements Leaving {
  readonly hooks: readonly string[];
  readonly #graceEndMs: number;
  readonly #finished = new Set<string>();
  readonly #farewells: (() => Promise<void>)[] = [];
  #stopping = false;
  #follower: LifecycleFollower | undefined;

  constructor({ hooks, livezGracePeriodMs }: LifecycleOptions) {
    this.hooks = hooks;
    this.#graceEndMs = deadlineIn(livezGracePeriodMs);
  }

  /** Marks a start hook as finished. */
  finish(hook: string): void {
    this.#finished.add(hook);
    this.#follower?.finished(hook);
  }

  /** Tells of changes from now on. */
  follow(follower: LifecycleFollower): void {
    this.#follower = follower;
  }

  hasRun(hook: string): boolean {
    return this.#finished.has(hook);
  }

  get isInGrace(): boolean {
    return msUntil(this.#graceEndMs) > 0;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  readonly onLeave: Leaving['onLeave'] = (leave) => {
    this.#farewells.push(leave);
  };

  /**
   * The server is asked to stop. It is still of use to those who do not know yet: resolves after `delayMs`, and when
   * all who were to be told have been.
   */
  async leave(delayMs: number): Promise<void> {
    this.#stopping = true;
    this.#follower?.left();
    const leaving = Promise.all(this.#farewells.map((leave) => leave()));
    await Promise.all([waitAtMost(farewellMs, leaving), delayMs > 0 ? sleep(delayMs) : undefined]);
  }

  /** Leaves, then calls `end`. */
  async end({ shutdown }: Pick<ServerConfig, 'shutdown'>, end: () => Promise<unknown>): Promise<void> {
    await this.leave(shutdown.delayMs);
    await end();
  }
}
