import { CelError, type Int } from './value.ts';

// The strings library. Positions count code points; in most strings code points and UTF-16 units coincide.

const surrogate = /[\ud800-\udfff]/;
/** Longer results are an error. */
const maxLength = 2 ** 26;

const tooLarge = new CelError('operation cancelled: resulting string is too large');

function outOfRange(index: Int): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** The code points of a string, or the string itself where they coincide with units. */
function pointsOf(text: string): string | readonly string[] {
  return surrogate.test(text) ? [...text] : text;
}

function joined(points: string | readonly string[]): string {
  return typeof points === 'string' ? points : points.join('');
}

export function charAt(text: string, index: Int): string | CelError {
  const points = pointsOf(text);
  if (index < 0 || index > points.length) return outOfRange(index);
  return points[Number(index)] ?? '';
}

export function indexOfText(text: string, part: string, from: Int): Int | CelError {
  if (from < 0) return outOfRange(from);
  const points = pointsOf(text);
  if (part === '') return from > points.length ? points.length : from;
  if (from >= points.length) return -1;
  const unit = text.indexOf(part, unitAt(text, points, Number(from)));
  return unit < 0 ? -1 : pointsBefore(text, points, unit);
}

export function lastIndexOfText(text: string, part: string): Int | CelError {
  const points = pointsOf(text);
  if (part === '') return points.length;
  return points.length === 0 ? -1 : lastIndexFrom(text, part, points.length - 1);
}

export function lastIndexFrom(text: string, part: string, from: Int): Int | CelError {
  if (from < 0) return outOfRange(from);
  const points = pointsOf(text);
  if (part === '') return from > points.length ? points.length : from;
  if (from >= points.length) return -1;
  const unit = text.lastIndexOf(part, unitAt(text, points, Number(from)));
  return unit < 0 ? -1 : pointsBefore(text, points, unit);
}

function unitAt(text: string, points: string | readonly string[], index: number): number {
  if (points === text) return index;
  return joined(points.slice(0, index)).length;
}

function pointsBefore(text: string, points: string | readonly string[], unit: number): number {
  return points === text ? unit : Array.from(text.slice(0, unit)).length;
}

export function substring(text: string, start: Int, end?: Int): string | CelError {
  const points = pointsOf(text);
  const last = end ?? points.length;
  if (end !== undefined && start > end) {
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  for (const index of [start, last]) if (index < 0 || index > points.length) return outOfRange(index);
  return joined(points.slice(Number(start), Number(last)));
}

/**
 * Replaces the first `limit` matches, all when negative. An empty match occurs before each character and at the end.
 */
export function replaceText(text: string, [old, fresh]: readonly [string, string], limit: Int): string | CelError {
  if (old === fresh || limit === 0) return text;
  const count = old === '' ? pointsOf(text).length + 1 : countOf(text, old);
  const times = limit < 0 ? count : Math.min(count, Number(limit));
  if (text.length + times * (fresh.length - old.length) > maxLength) return tooLarge;
  if (times === count && old !== '') return text.split(old).join(fresh);
  return replaceSome(text, [old, fresh], times);
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

function replaceSome(text: string, [old, fresh]: readonly [string, string], times: number): string {
  if (old === '') {
    const points = [...pointsOf(text)];
    return (
      points.map((point, index) => (index < times ? fresh + point : point)).join('') +
      (times > points.length ? fresh : '')
    );
  }
  const parts = text.split(old);
  return (
    parts.slice(0, times + 1).join(fresh) +
    parts
      .slice(times + 1)
      .map((part) => old + part)
      .join('')
  );
}

/** Into at most `limit` parts, all when negative. */
export function splitText(text: string, separator: string, limit: Int): readonly string[] {
  if (limit === 0) return [];
  const parts = separator === '' ? [...pointsOf(text)] : text.split(separator);
  const most = Number(limit);
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

const spaces: ReadonlySet<string> = new Set(
  [9, 10, 11, 12, 13, 32, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]
    .concat(Array.from({ length: 11 }, (_, index) => 0x2000 + index))
    .map((code) => String.fromCodePoint(code)),
);

/** Trims Unicode white space. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && spaces.has(text.charAt(start))) start += 1;
  while (end > start && spaces.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const quoted: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/** As a CEL literal. */
export function quotedText(text: string): string {
  return `"${text.toWellFormed().replace(/["\\\u0007-\r]/g, (char) => quoted.get(char) ?? char)}"`;
}

export function joinTexts(parts: readonly string[], separator: string): string | CelError {
  let length = separator.length * parts.length;
  for (const part of parts) length += part.length;
  return length > maxLength ? tooLarge : parts.join(separator);
}
