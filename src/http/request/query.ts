import { int64Problem } from '../../api/go/go-integer.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { type Int64, parseInt64 } from '../../api/values/int64.ts';
import { badRequest } from '../../api/errors/status-errors.ts';

/** The parameters of a query as parsed by Go: pairs with a semicolon or an invalid escape are ignored. */
export function parseQuery(text: string): URLSearchParams {
  if (text === '') return noParameters;
  if (!isBroken(text)) return new URLSearchParams(text);
  const parts = text.split('&').filter((part) => !isBroken(part));
  return new URLSearchParams(parts.join('&'));
}

/** Shared: query parameters are never modified. */
const noParameters = new URLSearchParams();

function isBroken(text: string): boolean {
  return text.includes(';') || /%(?![0-9a-f]{2})/i.test(text);
}

/** Booleans as in the reference: absent, `0` and `false` are false, everything else is true. */
export function queryBoolean(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** Undefined if the parameter is absent. Throws 400 if it is not an integer of 64 bits. */
export function queryInt64(query: URLSearchParams, name: string): Int64 | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const problem = int64Problem(text);
  if (problem !== undefined) throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`);
  return parseInt64(text);
}

/** An integer of a parameter, for which what a double cannot hold is as good as infinite; undefined if absent. */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const value = queryInt64(query, name);
  return value === undefined ? undefined : Number(value);
}
