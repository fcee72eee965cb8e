import { DurationError, parseDuration } from '../../../api/time/duration.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { timeZoneProblem } from '../../../api/time/go-time-zone.ts';

// The syntax of cron schedules: five fields or a descriptor.

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

/** The error message of a schedule; undefined if it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    parse(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}

function parse(schedule: string): void {
  let text = schedule;
  const zone = /^(?:CRON_)?TZ=([^ ]*)(?: (.*))?$/s.exec(schedule);
  if (zone !== null) {
    if (zone[2] === undefined) throw new ScheduleError('a time zone is not followed by a schedule');
    const problem = timeZoneProblem(zone[1] ?? '');
    if (problem !== undefined) throw new ScheduleError(`provided bad location ${zone[1]}: ${problem}`);
    text = zone[2].trim();
  }
  if (text.startsWith('@')) return parseDescriptor(text);
  const parts = text.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== 5) {
    throw new ScheduleError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  }
  for (const [index, part] of parts.entries()) {
    for (const expression of part.split(','))
      if (expression !== '') parseRange(expression, fields[index] ?? { min: 0, max: 0 });
  }
}

function parseDescriptor(text: string): void {
  if (descriptors.includes(text)) return;
  if (!text.startsWith('@every ')) throw new ScheduleError(`unrecognized descriptor: ${text}`);
  try {
    parseDuration(text.slice('@every '.length));
  } catch (error) {
    if (error instanceof DurationError) {
      throw new ScheduleError(`failed to parse duration ${text}: ${error.message}`);
    }
    throw error;
  }
}

function parseRange(expression: string, field: Field): void {
  const [range = '', stepText, ...more] = expression.split('/');
  const limits = range.split('-');
  const [low = '', high] = limits;
  const any = low === '*' || low === '?';
  const start = any ? field.min : parseNumber(low, field.names);
  let end = any ? field.max : start;
  if (!any && limits.length > 2) throw new ScheduleError(`too many hyphens: ${expression}`);
  if (!any && high !== undefined) end = parseNumber(high, field.names);
  if (more.length > 0) throw new ScheduleError(`too many slashes: ${expression}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (stepText !== undefined && limits.length === 1) end = field.max;
  if (start < field.min) {
    throw new ScheduleError(`beginning of range (${start}) below minimum (${field.min}): ${expression}`);
  }
  if (end > field.max) throw new ScheduleError(`end of range (${end}) above maximum (${field.max}): ${expression}`);
  if (start > end) throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  if (step === 0) throw new ScheduleError(`step of range should be a positive number: ${expression}`);
}

function parseNumber(text: string, names: readonly string[] = []): number {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return names === months ? named + 1 : named;
  if (!/^[+-]?\d+$/.test(text)) {
    throw new ScheduleError(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  }
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new ScheduleError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: value out of range`,
    );
  }
  if (value < 0) throw new ScheduleError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
