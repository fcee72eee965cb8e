import type { UserInfo } from '../api/user.ts';
import { anonymousUser } from '../api/user.ts';
import type { Exchange } from './exchange.ts';
import type { RequestInfo } from './request-info.ts';

/** Everything the stages of the pipeline learn about one request. Each stage writes what it is named after. */
export class RequestContext {
  readonly exchange: Exchange;
  readonly receivedMs: number;
  readonly query: URLSearchParams;
  user: UserInfo = anonymousUser;
  /** Texts of Warning headers, without repeats. */
  readonly warnings = new Set<string>();
  /** Milliseconds since the epoch after which the answer is a timeout; watches have none. */
  deadlineMs = Number.POSITIVE_INFINITY;
  /** The status of the answer, once it has one: for metrics and logs. */
  responseCode = 0;
  #info: RequestInfo | undefined;

  constructor(exchange: Exchange, receivedMs: number) {
    this.exchange = exchange;
    this.receivedMs = receivedMs;
    this.query = new URLSearchParams(exchange.query);
  }

  get info(): RequestInfo {
    if (this.#info === undefined) throw new Error('request info is read before its stage has run');
    return this.#info;
  }

  set info(info: RequestInfo) {
    this.#info = info;
  }
}

/** One step of the pipeline. To refuse a request a stage throws a StatusError. */
export interface Stage {
  readonly name: string;
  run(context: RequestContext): void | Promise<void>;
}
