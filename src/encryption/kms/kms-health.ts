import type { Clock } from '../../api/time/clock.ts';

const healthyMs = 20_000;
const unhealthyMs = 3_000;

export interface HealthContext {
  readonly clock: Clock;
  /** Called when the plugin is healthy again. */
  readonly recovered: () => void;
}

interface Outcome {
  readonly error: unknown;
  readonly untilMs: number;
}

/**
 * Remembers for a while whether a plugin is healthy: everybody may ask for the health of a server. Of an error only the
 * cause is remembered, the words of the plugin, as in the reference.
 */
export class RememberedHealth {
  readonly #ask: () => Promise<void>;
  readonly #clock: Clock;
  readonly #recovered: () => void;
  #last: Outcome | undefined;
  #asking: Promise<void> | undefined;

  constructor(ask: () => Promise<void>, { clock, recovered }: HealthContext) {
    this.#ask = ask;
    this.#clock = clock;
    this.#recovered = recovered;
  }

  /** Rejects if it is not healthy. Whoever asks meanwhile gets the same answer. */
  check(): Promise<void> {
    return (this.#asking ??= this.#checkNow().finally(() => (this.#asking = undefined)));
  }

  async #checkNow(): Promise<void> {
    const last = this.#last;
    if (last !== undefined && this.#clock.now() < last.untilMs) {
      if (last.error !== undefined) throw last.error;
      return;
    }
    try {
      await this.#ask();
      this.#last = { error: undefined, untilMs: this.#clock.now() + healthyMs };
      if (last?.error !== undefined) this.#recovered();
    } catch (error) {
      const reason = error instanceof Error ? (error.cause ?? error) : error;
      this.#last = { error: reason, untilMs: this.#clock.now() + unhealthyMs };
      throw error;
    }
  }
}
