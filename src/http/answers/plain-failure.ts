import { goQuote } from '../../api/go-quote.ts';
import { withoutMarkup } from '../../authorization/refusal.ts';
import type { Exchange } from '../transport/exchange.ts';

/** A failure answered as plain text, where the reference sends no Status. Log the cause before throwing it. */
export class PlainFailure extends Error {
  override readonly name = 'PlainFailure';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A failure of the server itself before the request is dispatched. */
export function internalServerError({ path, query }: Pick<Exchange, 'path' | 'query'>, error: string): PlainFailure {
  const uri = query === '' ? path : `${path}?${query}`;
  return new PlainFailure(500, withoutMarkup(`Internal Server Error: ${goQuote(uri)}: ${error}`));
}
