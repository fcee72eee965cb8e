import { goQuote } from '../../api/go-quote.ts';
import { withoutMarkup } from '../../authorization/refusal.ts';
import type { Exchange } from '../transport/exchange.ts';

/** A failure answered as plain text, where the reference sends no Status. Log the cause before throwing it. */
export class PlainFailure extends Error {
  override readonly name = 'PlainFailure';
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

/** More requests than the server can serve. */
export function tooManyRequests(retryAfterSeconds: number): PlainFailure {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return new PlainFailure(429, 'Too many requests, please try again later.', headers);
}

/** A failure of the server itself before the request is dispatched. */
export function internalServerError({ path, query }: Pick<Exchange, 'path' | 'query'>, error: string): PlainFailure {
  const uri = query === '' ? path : `${path}?${query}`;
  return new PlainFailure(500, withoutMarkup(`Internal Server Error: ${goQuote(uri)}: ${error}`));
}
