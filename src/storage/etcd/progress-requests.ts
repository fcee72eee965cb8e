import { backoffMs } from '../../api/scheduling/backoff.ts';

/**
 * Requests progress until it arrives. etcd does not answer a request while the watch is behind, so it is repeated, less
 * and less often. A request made while another is pending is sent after the response to that one, which may be too old.
 */
export class ProgressRequests {
  readonly #send: (attempt: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #again = false;

  /** `send` gets the number of earlier attempts of the same request. */
  constructor(send: (attempt: number) => void) {
    this.#send = send;
  }

  /** Whether a request is pending. */
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
    this.#timer = setTimeout(() => this.#ask(attempt + 1), backoffMs(attempt, delays)).unref();
  }
}

const delays = { firstMs: 10, longestMs: 200 };
