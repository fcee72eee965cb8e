import { uint64Problem } from '../api/go-integer.ts';
import { goQuote } from '../api/go-quote.ts';
import { StatusError } from '../api/status.ts';
import { badRequest } from '../api/status-errors.ts';

/** Parses the resourceVersion of a get or watch. Invalid ones are a 500 without a reason, as in the reference. */
export function parseResourceVersion(text: string): number {
  const why = whyNone(text);
  if (why !== undefined) throw new StatusError({ code: 500, reason: '', message: why });
  return Number(text);
}

/** Parses the resourceVersion of a list. Invalid ones are a 400. */
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
