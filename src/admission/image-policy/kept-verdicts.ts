/** What was said about images. */
export interface Verdict {
  readonly allowed: boolean;
  readonly reason: string;
}

const maxKept = 1024;

/** Verdicts for as long as they are good for; of too many those that were used least lately go. */
export class KeptVerdicts {
  readonly #now: () => number;
  readonly #kept = new Map<string, { readonly verdict: Verdict; readonly untilMs: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): Verdict | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#kept.delete(key);
    if (found.untilMs <= this.#now()) return undefined;
    this.#kept.set(key, found);
    return found.verdict;
  }

  set(key: string, verdict: Verdict, ttlMs: number): void {
    if (ttlMs <= 0) return;
    this.#kept.delete(key);
    this.#kept.set(key, { verdict, untilMs: this.#now() + ttlMs });
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > maxKept) this.#kept.delete(oldest);
  }
}
