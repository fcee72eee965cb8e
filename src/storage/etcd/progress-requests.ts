/**
 * Asks for progress until it is told. etcd leaves a request unanswered while the watch is behind, so it is repeated, less and less often.
 * A request made while another one is unanswered is sent after the answer, which may be from before it.
 */
export class ProgressRequests {
  readonly #send: (attempt: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #again = false;

  /** `send` is told how often it has been called for the same request before. */
  constructor(send: (attempt: number) => void) {
    this.#send = send;
  }

  /** A request has not been answered yet. */
  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  request(): void {
    if (this.#timer === undefined) this.#ask(0);
    else this.#again = true;
  }

  answered(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#again) return;
    this.#again = false;
    this.request();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#again = false;
  }

  #ask(attempt: number): void {
    this.#send(attempt);
    const delayMs = Math.min(firstDelayMs * 2 ** attempt, mostDelayMs);
    this.#timer = setTimeout(() => this.#ask(attempt + 1), delayMs).unref();
  }
}

const firstDelayMs = 10;
const mostDelayMs = 200;
