import { deadlineIn, msUntil } from '../time/deadline.ts';
import { LruMap } from '../collections/lru-map.ts';

/** Answers of other servers, each for as long as it is good; of too many, the least recently used are evicted. */
export class ResponseCache<Answer> {
  readonly #responses: LruMap<string, { readonly response: Answer; readonly deadlineMs: number }>;

  constructor(most: number) {
    this.#responses = new LruMap(most);
  }

  get(question: string): Answer | undefined {
    const known = this.#responses.get(question);
    if (known !== undefined && msUntil(known.deadlineMs) > 0) return known.response;
    this.#responses.delete(question);
    return undefined;
  }

  keep(question: string, response: Answer, ttlMs: number): void {
    if (ttlMs > 0) this.#responses.set(question, { response, deadlineMs: deadlineIn(ttlMs) });
  }
}
