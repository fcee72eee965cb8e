import { goQuote } from '../../../api/go/go-quote.ts';

/** `1,3-5` as intervals, inclusive. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Returns an error message for malformed fragments. */
function parseInterval(text: string, completions: number): Interval | string {
  const limits = text.split('-');
  if (limits.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[-+]?[0-9]+$/.test(limit)) return `cannot convert string to integer for index: ${goQuote(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${goQuote(limit)}`;
    numbers.push(Number(limit));
  }
  const [first = 0, last] = numbers;
  if (last === undefined) return { first, last: first };
  return first >= last ? outOfOrder(first, last) : { first, last };
}

function outOfOrder(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

/** The error message of a list of indexes; undefined if it is valid. */
export function indexesProblem(text: string, completions: number): string | undefined {
  if (text === '') return undefined;
  let previous: number | undefined;
  for (const fragment of text.split(',')) {
    const interval = parseInterval(fragment, completions);
    if (typeof interval === 'string') return interval;
    if (previous !== undefined && previous >= interval.first) return outOfOrder(previous, interval.first);
    previous = interval.last;
  }
  return undefined;
}

/** The first index that two sorted lists share; malformed fragments are ignored. */
export function overlappingIndex(one: string, other: string, completions: number): number | undefined {
  const others = intervals(other, completions);
  for (const { first, last } of intervals(one, completions)) {
    const met = others.find((interval) => first <= interval.last && interval.first <= last);
    if (met !== undefined) return Math.max(first, met.first);
  }
  return undefined;
}

function intervals(text: string, completions: number): Interval[] {
  if (text === '') return [];
  return text
    .split(',')
    .map((fragment) => parseInterval(fragment, completions))
    .filter((interval) => typeof interval !== 'string');
}
