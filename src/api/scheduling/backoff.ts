import { pause } from './pause.ts';

export interface BackoffOptions {
  readonly firstMs?: number;
  readonly longestMs?: number;
  /** The ratio of each delay to the one before. */
  readonly factor?: number;
  /** Extends each delay at random by up to this fraction, so that those who failed together do not retry together. */
  readonly jitter?: number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** The delay after a number of earlier failures, without jitter. */
export function backoffMs(
  failures: number,
  { firstMs = 100, longestMs = 8_000, factor = 2 }: Pick<BackoffOptions, 'firstMs' | 'longestMs' | 'factor'> = {},
): number {
  return Math.min(firstMs * factor ** failures, longestMs);
}

/** The delays between attempts at what may fail for long: they grow exponentially up to a limit. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions = {}) {
    this.#options = options;
  }

  /** The next failure is a first one. */
  startOver(): void {
    this.#failures = 0;
  }

  /** How long to wait before the next attempt. */
  delayMs(): number {
    const { jitter = 0, random = Math.random } = this.#options;
    const delayMs = backoffMs(this.#failures, this.#options);
    this.#failures += 1;
    return delayMs * (1 + jitter * random());
  }

  /** Waits before the next attempt, unless the signal aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    await pause(this.delayMs(), signal);
  }
}
