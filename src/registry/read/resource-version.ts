import { uint64Problem } from '../../api/go/go-integer.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { Int64 } from '../../api/values/int64.ts';
import { StatusError } from '../../api/errors/status.ts';
import { badRequest } from '../../api/errors/status-errors.ts';

/** Parses the resourceVersion of a get or watch. Invalid ones are a 500 without a reason, as in the reference. */
export function parseResourceVersion(text: string): Int64 {
  const why = whyNone(text);
  if (why !== undefined) throw new StatusError({ code: 500, reason: '', message: why });
  return versionOf(text);
}

/** Parses the resourceVersion of a list. Invalid ones are a 400. */
export function parseListVersion(text: string): Int64 {
  const why = whyNone(text);
  if (why !== undefined) throw badRequest(`invalid resource version: ${why}`);
  return versionOf(text);
}

function versionOf(text: string): Int64 {
  const version = Number(text);
  return Number.isSafeInteger(version) ? version : BigInt(text);
}

/** That of an object to be written: 0 is none. Throws the 500 of the reference for what is no number. */
export function parseWrittenVersion(text: string): Int64 {
  const why = text === '' ? undefined : uint64Problem(text);
  if (why === undefined) return versionOf(text);
  const message = `strconv.ParseUint: parsing ${goQuote(text)}: ${why}`;
  throw new StatusError({ code: 500, reason: '', message });
}

function whyNone(text: string): string | undefined {
  const why = uint64Problem(text);
  if (why === undefined) return undefined;
  const quoted = goQuote(text);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${why}`;
}
