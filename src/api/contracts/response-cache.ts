import { deadlineIn, msUntil } from '../time/deadline.ts';
import { LruMap } from '../collections/lru-map.ts';

/** Answers of other servers, each for as long as it is good; of too many, the least recently used are evicted. */
export class ResponseCache<Answer> {
  readonly #responses: LruMap<string, { readonly answer: Answer; readonly deadlineMs: number }>;

  constructor(most: number) {
    this.#responses = new LruMap(most);
  }

  get(question: string): Answer | undefined {
    const known = this.#responses.get(question);
    if (known !== undefined && msUntil(known.deadlineMs) > 0) return known.answer;
    this.#responses.delete(question);
    return undefined;
  }

  keep(question: string, answer: Answer, ttlMs: number): void {
    if (ttlMs > 0) this.#responses.set(question, { answer, deadlineMs: deadlineIn(ttlMs) });
  }
}
