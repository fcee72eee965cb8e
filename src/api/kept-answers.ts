import { deadlineIn, msUntil } from './deadline.ts';

/** Answers of other servers, each for as long as it is good; of too many, the least recently used are evicted. */
export class KeptAnswers<Answer> {
  readonly #most: number;
  readonly #answers = new Map<string, { readonly answer: Answer; readonly deadlineMs: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  get(question: string): Answer | undefined {
    const known = this.#answers.get(question);
    if (known === undefined) return undefined;
    this.#answers.delete(question);
    if (msUntil(known.deadlineMs) <= 0) return undefined;
    this.#answers.set(question, known);
    return known.answer;
  }

  keep(question: string, answer: Answer, ttlMs: number): void {
    if (ttlMs <= 0) return;
    this.#answers.delete(question);
    this.#answers.set(question, { answer, deadlineMs: deadlineIn(ttlMs) });
    if (this.#answers.size <= this.#most) return;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined) this.#answers.delete(oldest);
  }
}
