import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn, msUntil } from '../api/deadline.ts';

export interface LifecycleOptions {
  /** Names of the start hooks, in the order of health checks. */
  readonly hooks: readonly string[];
  /** `/livez` succeeds for this long even if start hooks have not finished. */
  readonly livezGracePeriodMs: number;
}

/** The state of the server between start and stop. */
export class Lifecycle {
  readonly hooks: readonly string[];
  readonly #graceEndMs: number;
  readonly #finished = new Set<string>();
  #stopping = false;

  constructor({ hooks, livezGracePeriodMs }: LifecycleOptions) {
    this.hooks = hooks;
    this.#graceEndMs = deadlineIn(livezGracePeriodMs);
  }

  /** Marks a start hook as finished. */
  finish(hook: string): void {
    this.#finished.add(hook);
  }

  hasRun(hook: string): boolean {
    return this.#finished.has(hook);
  }

  get isInGrace(): boolean {
    return msUntil(this.#graceEndMs) > 0;
  }

  stop(): void {
    this.#stopping = true;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Gives load balancers time to notice. */
  async delay(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms);
  }
}
