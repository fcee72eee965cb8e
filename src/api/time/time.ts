import type { JsonValue } from '../json/json.ts';
// Timestamps as the reference parses and prints them (Go's time.Parse with the RFC 3339 layouts).

const secondLayout = '2006-01-02T15:04:05Z07:00';
const microLayout = '2006-01-02T15:04:05.000000Z07:00';
const localLayout = '2006-01-02T15:04:05';
const dateLayout = '2006-01-02';

/** Thrown for invalid timestamps; clients see the message. */
export class TimeError extends Error {
  override readonly name = 'TimeError';
  readonly code = 'TIME';
}

/** A point in time: milliseconds hold whole seconds only, the fraction is in `nanos`. */
export interface ParsedTime {
  readonly epochMs: number;
  readonly nanos: number;
}

/** The first instant of the year 1, Go's zero time. */
const zeroEpochMs = Date.parse('0001-01-01T00:00:00Z');

export function isZeroTime({ epochMs, nanos }: ParsedTime): boolean {
  return epochMs === zeroEpochMs && nanos === 0;
}

/** Milliseconds since 1970, with a fraction. */
export function instantMs({ epochMs, nanos }: ParsedTime): number {
  return epochMs + nanos / 1e6;
}

const canonicalParts = /^(-?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?Z$/;

/** Milliseconds since 1970 of a time in canonical form, whose year may have any number of digits. */
export function canonicalTimeMs(text: string): number {
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return ms;
  const parts = (canonicalParts.exec(text) ?? []).slice(1).map(Number);
  const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = parts;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hours, minutes, seconds);
}

/** RFC 3339 with an optional fraction of a second. Throws TimeError. */
export function parseTime(text: string): ParsedTime {
  return parseLayout(text, secondLayout);
}

/** RFC 3339 with exactly six decimals. Throws TimeError. */
export function parseMicroTime(text: string): ParsedTime {
  return parseLayout(text, microLayout);
}

/** RFC 3339 without a time zone: UTC. Throws TimeError. */
export function parseLocalTime(text: string): ParsedTime {
  return parseLayout(text, localLayout);
}

/** The first instant of a date, in UTC. Throws TimeError. */
export function parseDate(text: string): ParsedTime {
  return parseLayout(text, dateLayout);
}

/** `2026-11-21T07:00:00Z`. */
export function formatTime({ epochMs }: Pick<ParsedTime, 'epochMs'>): string {
  return `${secondsText(epochMs)}Z`;
}

/** `2026-11-21T07:00:00.000000Z`. */
export function formatMicroTime({ epochMs, nanos }: ParsedTime): string {
  return `${secondsText(epochMs)}.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}Z`;
}

/** A clock reading as a point in time. */
export function timeOf(nowMs: number): ParsedTime {
  const epochMs = Math.floor(nowMs / 1000) * 1000;
  return { epochMs, nanos: Math.round((nowMs - epochMs) * 1e6) };
}

/** Objects created together share their times. */
const recentTexts = new Map<number, string>();
const maxRecentTexts = 256;

function secondsText(epochMs: number): string {
  let text = recentTexts.get(epochMs);
  if (text === undefined) {
    text = newSecondsText(epochMs);
    if (recentTexts.size >= maxRecentTexts) recentTexts.clear();
    recentTexts.set(epochMs, text);
  }
  return text;
}

function newSecondsText(epochMs: number): string {
  // ISO 8601 writes years beyond four digits with a sign and six digits; Go prints four or as many as needed.
  return new Date(epochMs).toISOString().slice(0, -5).replace(/^\+0*/, '').replace(/^-00/, '-');
}

/** The zero time in canonical form, which is written as null. */
export function isZeroTimeText(text: JsonValue | undefined): boolean {
  return text === '0001-01-01T00:00:00Z' || text === '0001-01-01T00:00:00.000000Z';
}

/** Every day but the 29th of February, which depends on the year. */
const monthAndDay = [
  '(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])',
  '(?:0[13-9]|1[0-2])-(?:29|30)',
  '(?:0[13578]|1[02])-31',
].join('|');
const untilSecond = `[1-9]\\d{3}-(?:${monthAndDay})T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d`;
const canonicalTime = new RegExp(`^${untilSecond}Z$`);
const canonicalMicroTime = new RegExp(`^${untilSecond}\\.\\d{6}Z$`);

/** The canonical form of `text`. Throws TimeError. */
export function canonicalTimeText(text: string): string {
  return canonicalTime.test(text) ? text : formatTime(parseTime(text));
}

/** The canonical form of `text` with microseconds. Throws TimeError. */
export function canonicalMicroTimeText(text: string): string {
  return canonicalMicroTime.test(text) ? text : formatMicroTime(parseMicroTime(text));
}

/** Whether a time in canonical form is outside of the years 0 to 9999, and cannot be parsed again. */
export function isUnreadableTime(text: string): boolean {
  return text[4] !== '-';
}

/** The state of the parser; elements are read in the order of the layout. */
interface Cursor {
  readonly text: string;
  readonly layout: string;
  rest: string;
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  offsetMinutes: number;
}

/** The elements of all layouts; everything between them is literal. */
const elements: readonly { readonly name: string; read(cursor: Cursor): void }[] = [
  { name: '2006', read: readYear },
  { name: '-', read: readLiteral('-') },
  { name: '01', read: (cursor) => void (cursor.month = readNumber(cursor, '01', { min: 1, max: 12, range: 'month' })) },
  { name: '-', read: readLiteral('-') },
  { name: '02', read: (cursor) => void (cursor.day = readNumber(cursor, '02', { min: 0, max: 99, range: 'day' })) },
  { name: 'T', read: readLiteral('T') },
  { name: '15', read: readHour },
  { name: ':', read: readLiteral(':') },
  {
    name: '04',
    read: (cursor) => void (cursor.minute = readNumber(cursor, '04', { min: 0, max: 59, range: 'minute' })),
  },
  { name: ':', read: readLiteral(':') },
  {
    name: '05',
    read: (cursor) => void (cursor.second = readNumber(cursor, '05', { min: 0, max: 59, range: 'second' })),
  },
  { name: '.000000', read: readFraction },
  { name: 'Z07:00', read: readZone },
];

/** How many elements the layouts have that end early. */
const elementCounts: { readonly [layout: string]: number } = { [dateLayout]: 5, [localLayout]: 11 };

function parseLayout(text: string, layout: string): ParsedTime {
  const cursor: Cursor = {
    text,
    layout,
    rest: text,
    year: 0,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
    offsetMinutes: 0,
  };
  const length = elementCounts[layout] ?? elements.length;
  for (const element of elements.slice(0, length)) element.read(cursor);
  if (cursor.rest !== '') throw problem(cursor, `: extra text: ${quoteTime(cursor.rest)}`);
  if (cursor.day < 1 || cursor.day > daysIn(cursor.year, cursor.month)) throw outOfRange(cursor, 'day');
  const date = new Date(0);
  date.setUTCFullYear(cursor.year, cursor.month - 1, cursor.day);
  date.setUTCHours(cursor.hour, cursor.minute - cursor.offsetMinutes, cursor.second, 0);
  return { epochMs: date.getTime(), nanos: cursor.nanos };
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function readLiteral(literal: string): (cursor: Cursor) => void {
  return (cursor) => {
    if (!cursor.rest.startsWith(literal)) throw unexpected(cursor, literal);
    cursor.rest = cursor.rest.slice(1);
  };
}

function readYear(cursor: Cursor): void {
  const digits = /^\d{4}/.exec(cursor.rest)?.[0];
  if (digits === undefined) throw unexpected(cursor, '2006');
  cursor.year = Number(digits);
  cursor.rest = cursor.rest.slice(4);
}

function readNumber(
  cursor: Cursor,
  element: string,
  { min, max, range }: { min: number; max: number; range: string },
): number {
  const digits = /^\d\d/.exec(cursor.rest)?.[0];
  if (digits === undefined) throw unexpected(cursor, element);
  const value = Number(digits);
  cursor.rest = cursor.rest.slice(2);
  if (value < min || value > max) throw outOfRange(cursor, range);
  // A fraction may follow the seconds even though the layout has none.
  const fraction = element === '05' && cursor.layout !== microLayout && /^[.,](\d+)/.exec(cursor.rest);
  if (fraction) {
    cursor.nanos = Number((fraction[1] ?? '').slice(0, 9).padEnd(9, '0'));
    cursor.rest = cursor.rest.slice(fraction[0].length);
  }
  return value;
}

/** Go also accepts a one-digit hour. */
function readHour(cursor: Cursor): void {
  const digits = /^\d\d?/.exec(cursor.rest)?.[0];
  if (digits === undefined) throw unexpected(cursor, '15');
  cursor.rest = cursor.rest.slice(digits.length);
  cursor.hour = Number(digits);
  if (cursor.hour > 23) throw outOfRange(cursor, 'hour');
}

function readFraction(cursor: Cursor): void {
  if (cursor.layout !== microLayout) return;
  const digits = /^[.,](\d{6})/.exec(cursor.rest)?.[1];
  if (digits === undefined) throw unexpected(cursor, '.000000');
  cursor.nanos = Number(digits) * 1000;
  cursor.rest = cursor.rest.slice(7);
}

function readZone(cursor: Cursor): void {
  if (cursor.rest.startsWith('Z')) {
    cursor.rest = cursor.rest.slice(1);
    return;
  }
  const match = /^([\s\S])(\d\d):(\d\d)/.exec(cursor.rest);
  if (match === null) throw unexpected(cursor, 'Z07:00');
  const [all, sign, hours, minutes] = match;
  if (Number(hours) > 24) throw outOfRange(cursor, 'time zone offset hour');
  if (Number(minutes) > 60) throw outOfRange(cursor, 'time zone offset minute');
  if (sign !== '+' && sign !== '-') throw unexpected(cursor, 'Z07:00');
  cursor.offsetMinutes = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  cursor.rest = cursor.rest.slice(all.length);
}

function unexpected(cursor: Cursor, element: string): TimeError {
  const { text, layout, rest } = cursor;
  const quoted = quoteTime(text);
  const quotedRest = rest === text ? quoted : quoteTime(rest);
  return new TimeError(
    `parsing time ${quoted} as ${quoteTime(layout)}: cannot parse ${quotedRest} as ${quoteTime(element)}`,
  );
}

function outOfRange(cursor: Cursor, what: string): TimeError {
  return problem(cursor, `: ${what} out of range`);
}

function problem(cursor: Cursor, message: string): TimeError {
  return new TimeError(`parsing time ${quoteTime(cursor.text)}${message}`);
}

/** Go's package time has its own quoting: bytes outside printable ASCII in hexadecimal. */
export function quoteTime(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[^ -\u007f]+/g, inHexadecimal)}"`;
}

const digits = Buffer.from('0123456789abcdef');

/** `\x` and two digits for each byte, of which there may be millions. */
function inHexadecimal(text: string): string {
  const bytes = Buffer.from(text);
  const shown = Buffer.alloc(bytes.length * 4, '\\x  ');
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number; // within bounds
    shown[index * 4 + 2] = digits[byte >> 4] as number; // 16 digits
    shown[index * 4 + 3] = digits[byte & 15] as number;
  }
  return shown.toString('latin1');
}
