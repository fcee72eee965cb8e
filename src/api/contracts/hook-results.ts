import { createHash } from 'node:crypto';

/** A review that a webhook is asked for. */
export interface HookQuestion {
  /** Identifies the webhook among all of its type. */
  readonly hook: string;
  readonly uid: string;
  /** The AdmissionReview in JSON. */
  readonly review: Uint8Array;
}

/** What a webhook has answered to a review. */
export interface HookResponse {
  /** The review's uid, which the answer repeats. */
  readonly uid: string;
  readonly body: Uint8Array;
  /** Whether the thread that has asked has counted the call. */
  readonly isCounted: boolean;
}

/** An answer as it goes to another thread. */
export interface PassedResponse extends HookResponse {
  /** Identifies the webhook and its question. */
  readonly digest: string;
}

/**
 * The answers of admission webhooks to one request. When another thread serves it anew, because one of them was large,
 * that thread takes them instead of asking the same questions again.
 */
export class HookResults {
  readonly #passed: Map<string, HookResponse>;
  readonly #received: { readonly question: HookQuestion; readonly response: HookResponse }[] = [];

  /** `passed`: those that the thread before has received. */
  constructor(passed: readonly PassedResponse[] = []) {
    this.#passed = new Map(passed.map((response) => [response.digest, response]));
  }

  /** The answer that the thread before has received to this question, once; undefined: ask. */
  take(question: HookQuestion): HookResponse | undefined {
    if (this.#passed.size === 0) return undefined;
    const digest = digestOf(question);
    const response = this.#passed.get(digest);
    this.#passed.delete(digest);
    return response;
  }

  keep(question: HookQuestion, response: HookResponse): void {
    this.#received.push({ question, response });
  }

  /** All that were received, for another thread. */
  passed(): readonly PassedResponse[] {
    return this.#received.map(({ question, response }) => ({ ...response, digest: digestOf(question) }));
  }
}

/** The digest leaves out the uid, which each review has of its own. */
function digestOf({ hook, uid, review }: HookQuestion): string {
  const bytes = Buffer.from(review.buffer, review.byteOffset, review.length);
  const at = bytes.indexOf(uid);
  const hash = createHash('sha256').update(hook);
  return hash
    .update(bytes.subarray(0, at))
    .update(bytes.subarray(at + uid.length))
    .digest('base64');
}
