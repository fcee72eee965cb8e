import { perKey } from '../api/collections/per-key.ts';

const maxSeconds = 32;

interface Second {
  readonly at: number;
  readonly dropped: number;
}

/**
 * How long refused clients are to stay away: the longer, the more of them there are. It doubles when three or more were
 * refused in each second of it, at most once in its own length, and falls by a second when there was less than one.
 */
class RetryAfter {
  seconds = 1;
  #history: Second[] = [];
  #current = { at: 0, dropped: 0 };
  #raisedAt = 0;

  note(now: number): void {
    if (this.#current.at === now) {
      this.#current.dropped += 1;
      return;
    }
    this.#remember(this.#current);
    this.#current = { at: now, dropped: 1 };
    this.#change(now);
  }

  #remember(second: Second): void {
    this.#history.push(second);
    const kept = Math.min(2 * this.seconds, maxSeconds);
    this.#history = this.#history.filter(({ at }) => second.at - at <= kept);
  }

  #change(now: number): void {
    const recent = this.#history.filter(({ at }) => at < now && now - at <= this.seconds);
    const dropped = recent.reduce((sum, second) => sum + second.dropped, 0);
    if (now - this.#raisedAt >= this.seconds && dropped >= 3 * this.seconds) {
      this.seconds = Math.min(2 * this.seconds, maxSeconds);
      this.#raisedAt = now;
    } else if (dropped < this.seconds && this.seconds > 1) this.seconds -= 1;
  }
}

/** Refused requests, by priority level. */
export class DroppedRequests {
  readonly #levels = perKey((_level: string) => new RetryAfter());

  /** Counts a refused request; returns the seconds after which its client may come again. */
  note(level: string, nowMs: number): number {
    const retry = this.#levels(level);
    retry.note(Math.floor(nowMs / 1_000));
    return retry.seconds;
  }
}
