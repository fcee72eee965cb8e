import { goQuote } from '../../api/go/go-quote.ts';
import { timeZoneProblem } from '../../api/time/go-time-zone.ts';
import { int64Problem } from '../../api/go/go-integer.ts';
import { type CivilTime, civilTime, cycleSeconds } from './civil-time.ts';
import { laterSeconds } from './times.ts';
import { CelError, type Int, type Timestamp } from './value.ts';

/** A point in time in a time zone. */
export interface LocalTime extends CivilTime {
  readonly milliseconds: number;
}

/** In a zone such as `Europe/Berlin` or `-08:30`. */
export function localTime({ seconds, nanos }: Timestamp, zone: string): LocalTime | CelError {
  const offset = offsetSeconds(seconds, zone);
  if (offset instanceof CelError) return offset;
  return { ...civilTime(laterSeconds(seconds, offset)), milliseconds: Math.trunc(nanos / 1_000_000) };
}

function offsetSeconds(seconds: Int, zone: string): number | CelError {
  const colon = zone.indexOf(':');
  if (colon < 0) return zone === '' || zone === 'UTC' ? 0 : namedOffset(seconds, zone);
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)];
  for (const part of [hours, minutes]) {
    const problem = int64Problem(part);
    if (problem !== undefined) return new CelError(`strconv.Atoi: parsing ${goQuote(part)}: ${problem}`);
  }
  const sign = zone.startsWith('-') ? -1 : 1;
  return (Number(hours) * 60 + sign * Number(minutes)) * 60;
}

const clocks = new Map<string, Intl.DateTimeFormat>();
const maxClocks = 100;

/** A day before the last instant that a clock of JavaScript shows. */
const maxClockSeconds = 8_640_000_000_000 - 24 * 60 * 60;

/** An instant with the same offset that clocks can show: the rules of zones repeat, and begin with the first one. */
function shownSeconds(seconds: Int): number {
  if (typeof seconds === 'number' && Math.abs(seconds) <= maxClockSeconds) return seconds;
  return seconds < 0 ? -maxClockSeconds : Number(BigInt(seconds) % BigInt(cycleSeconds)) + cycleSeconds;
}

function namedOffset(sinceEpoch: Int, zone: string): number | CelError {
  const seconds = shownSeconds(sinceEpoch);
  const problem = timeZoneProblem(zone);
  if (problem !== undefined) return new CelError(problem);
  if (zone === 'Local') return -new Date(seconds * 1000).getTimezoneOffset() * 60;
  const clock = clockOf(zone);
  if (clock === undefined) return new CelError(`unknown time zone ${zone}`);
  const parts = new Map(clock.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  const year = parts.get('era') === 'B' ? 1 - number('year') : number('year');
  const local = new Date(0);
  local.setUTCFullYear(year, number('month') - 1, number('day'));
  local.setUTCHours(number('hour'), number('minute'), number('second'));
  return Math.round(local.getTime() / 1000 - seconds);
}

/** Folders of the database whose zones are also at its top. */
const copies = /^(?:posix|right)\//;

/** Undefined for zones that only the system knows. */
function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const timeZone = zone.replace(copies, '');
  try {
    const part = 'numeric';
    const clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'narrow',
      year: part,
      month: part,
      day: part,
      hour: part,
      minute: part,
      second: part,
    });
    if (clocks.size >= maxClocks) clocks.clear();
    clocks.set(zone, clock);
    return clock;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
