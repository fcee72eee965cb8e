import { uint64Problem } from '../api/go-integer.ts';
import { goQuote } from '../api/go-quote.ts';
import { StatusError } from '../api/status.ts';
import { badRequest } from '../api/status-errors.ts';

/** The resource version of a get or watch as a revision. What is none is answered 500 without a reason, as the reference does. */
export function parseResourceVersion(text: string): number {
  const why = whyNone(text);
  if (why !== undefined) throw new StatusError({ code: 500, reason: '', message: why });
  return Number(text);
}

/** The resource version of a list. What is none is a bad request. */
export function parseListVersion(text: string): number {
  const why = whyNone(text);
  if (why !== undefined) throw badRequest(`invalid resource version: ${why}`);
  return Number(text);
}

function whyNone(text: string): string | undefined {
  const why = uint64Problem(text);
  if (why === undefined) return undefined;
  const quoted = goQuote(text);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${why}`;
}
