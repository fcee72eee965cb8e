import { goQuote } from '../../api/go/go-quote.ts';
import { withoutMarkup } from '../../api/contracts/forbidden-request.ts';
import type { Exchange } from '../transport/exchange.ts';

/** A failure answered as plain text, where the reference sends no Status. Log the cause before throwing it. */
export class PlainFailure extends Error {
  override readonly name = 'PlainFailure';
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Without the headers of other responses, save the one that identifies the request. */
  readonly isBare: boolean;

  constructor(
    code: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    { isBare = false }: { readonly isBare?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.isBare = isBare;
  }
}

/** By seconds. In an overload, to make an error for each request would be a tenth of what refusing it costs. */
const refusals = new Map<number, PlainFailure>();

/** More requests than the server can serve. */
export function tooManyRequests(retryAfterSeconds: number): PlainFailure {
  const known = refusals.get(retryAfterSeconds);
  if (known !== undefined) return known;
  const headers = { 'retry-after': String(retryAfterSeconds) };
  const failure = new PlainFailure(429, 'Too many requests, please try again later.', headers);
  refusals.set(retryAfterSeconds, failure);
  return failure;
}

/** A failure of the server itself before the request is dispatched. */
export function internalServerError({ path, query }: Pick<Exchange, 'path' | 'query'>, error: string): PlainFailure {
  const uri = query === '' ? path : `${path}?${query}`;
  return new PlainFailure(500, withoutMarkup(`Internal Server Error: ${goQuote(uri)}: ${error}`));
}
