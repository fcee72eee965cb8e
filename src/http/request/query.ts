import { int64Problem } from '../../api/go-integer.ts';
import { goQuote } from '../../api/go-quote.ts';
import { badRequest } from '../../api/status-errors.ts';

/** The parameters of a query as Go reads them: what has a semicolon or a broken escape in it counts as if it were not there. */
export function parseQuery(text: string): URLSearchParams {
  if (text === '') return noParameters;
  if (!isBroken(text)) return new URLSearchParams(text);
  const parts = text.split('&').filter((part) => !isBroken(part));
  return new URLSearchParams(parts.join('&'));
}

/** Nobody changes the parameters of a request. */
const noParameters = new URLSearchParams();

function isBroken(text: string): boolean {
  return text.includes(';') || /%(?![0-9a-f]{2})/i.test(text);
}

/** As the reference reads booleans: absent, `0` and `false` are false, everything else is true. */
export function queryBoolean(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** Undefined where the parameter is not given. Throws 400 for what is no integer. */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const problem = int64Problem(text);
  if (problem !== undefined) throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`);
  return Number(text);
}
