/** Date and time of day, without a zone. */
export interface CivilTime {
  readonly year: number;
  /** Zero-based, like the day of the year and the day of the week. */
  readonly month: number;
  readonly day: number;
  readonly dayOfYear: number;
  readonly weekday: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** Dates repeat after 400 years, with their days of the week. Dates of JavaScript end in the year 275760. */
const cycleYears = 400;
export const cycleSeconds = 146_097 * 24 * 60 * 60;

/** The first second of Go's calendar, in the year -292277022399: what is earlier is shown at its end. */
const minShown = -9_223_372_028_715_321_600n;

/** The date and time of a whole number of seconds since 1970, in the proleptic Gregorian calendar. */
export function civilTime(sinceEpoch: number | bigint): CivilTime {
  return typeof sinceEpoch === 'number' ? shortTime(sinceEpoch) : farTime(sinceEpoch);
}

function farTime(sinceEpoch: bigint): CivilTime {
  const shown = BigInt.asUintN(64, sinceEpoch - minShown) + minShown;
  const length = BigInt(cycleSeconds);
  const within = shown % length;
  const local = shortTime(Number(within));
  return { ...local, year: local.year + Number((shown - within) / length) * cycleYears };
}

/** For the seconds that a double has exactly. */
function shortTime(sinceEpoch: number): CivilTime {
  const cycles = Math.floor(sinceEpoch / cycleSeconds);
  const date = new Date((sinceEpoch - cycles * cycleSeconds) * 1000);
  const yearStart = Date.UTC(date.getUTCFullYear(), 0, 1);
  return {
    year: date.getUTCFullYear() + cycles * cycleYears,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    dayOfYear: Math.floor((date.getTime() - yearStart) / 86_400_000),
    weekday: date.getUTCDay(),
    hours: date.getUTCHours(),
    minutes: date.getUTCMinutes(),
    seconds: date.getUTCSeconds(),
  };
}

/** `2023-01-01`, years with at least four digits. */
export function dateText({ year, month, day }: CivilTime): string {
  const digits = String(Math.abs(year)).padStart(4, '0');
  return `${year < 0 ? '-' : ''}${digits}-${twoDigits(month + 1)}-${twoDigits(day)}`;
}

/** `15:04:05` */
export function clockText({ hours, minutes, seconds }: CivilTime): string {
  return [hours, minutes, seconds].map(twoDigits).join(':');
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
