import type { Clock } from '../../api/clock.ts';

const maxAnswers = 8192;

/** A cache of answers with expiry; when full, the least recently used are evicted. */
export class KeptAnswers<Answer> {
  readonly #clock: Clock;
  readonly #answers = new Map<string, { readonly answer: Answer; readonly untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(question: string): Answer | undefined {
    const known = this.#answers.get(question);
    if (known === undefined) return undefined;
    this.#answers.delete(question);
    if (known.untilMs <= this.#clock.now()) return undefined;
    this.#answers.set(question, known);
    return known.answer;
  }

  keep(question: string, answer: Answer, ttlMs: number): void {
    if (ttlMs <= 0) return;
    this.#answers.delete(question);
    this.#answers.set(question, { answer, untilMs: this.#clock.now() + ttlMs });
    if (this.#answers.size <= maxAnswers) return;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined) this.#answers.delete(oldest);
  }
}
