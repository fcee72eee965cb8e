import type { FunctionDeclaration } from '../check/declarations.ts';
import { types } from '../types/cel-type.ts';
import { CelError, Duration, narrowed, Timestamp, type Value } from '../values/value.ts';
import { localTime, type LocalTime } from '../values/time-zones.ts';
import { binary, declare, member, unary } from './define.ts';

const { duration, int, string, timestamp } = types;

interface Part {
  readonly name: string;
  readonly id: string;
  /** Overload with a time zone, if not named `<id>_with_tz`. */
  readonly zonedId?: string;
  readonly of: (time: LocalTime) => number;
  /** Nanoseconds per unit, for accessors that durations have as well. */
  readonly nanos?: bigint;
}

const parts: readonly Part[] = [
  { name: 'getFullYear', id: 'year', of: ({ year }) => year },
  { name: 'getMonth', id: 'month', of: ({ month }) => month },
  { name: 'getDayOfYear', id: 'day_of_year', of: ({ dayOfYear }) => dayOfYear },
  { name: 'getDayOfMonth', id: 'day_of_month', of: ({ day }) => day - 1 },
  {
    name: 'getDate',
    id: 'day_of_month_1_based',
    of: ({ day }) => day,
  },
  { name: 'getDayOfWeek', id: 'day_of_week', of: ({ weekday }) => weekday },
  { name: 'getHours', id: 'hours', of: ({ hours }) => hours, nanos: 3_600_000_000_000n },
  { name: 'getMinutes', id: 'minutes', of: ({ minutes }) => minutes, nanos: 60_000_000_000n },
  {
    name: 'getSeconds',
    id: 'seconds',
    zonedId: 'timestamp_to_seconds_tz',
    of: ({ seconds }) => seconds,
    nanos: 1_000_000_000n,
  },
  { name: 'getMilliseconds', id: 'milliseconds', of: ({ milliseconds }) => milliseconds, nanos: 1_000_000n },
];

function partOf(time: Value, zone: Value, of: (time: LocalTime) => number): Value {
  // guaranteed by the signature
  const local = localTime(time as Timestamp, zone as string);
  return local instanceof CelError ? local : of(local);
}

export const timeFunctions: readonly FunctionDeclaration[] = parts.map(({ name, id, zonedId, of, nanos }) => {
  const zoned = zonedId ?? `timestamp_to_${id}_with_tz`;
  const ofTimes = [
    member(
      `timestamp_to_${id}`,
      [[timestamp], int],
      unary((time) => partOf(time, 'UTC', of)),
    ),
    member(
      zoned,
      [[timestamp, string], int],
      binary((time, zone) => partOf(time, zone, of)),
    ),
  ];
  if (nanos === undefined) return declare(name, ...ofTimes);
  const ofDuration = unary((value) => narrowed(BigInt((value as Duration).nanos) / nanos));
  return declare(name, ...ofTimes, member(`duration_to_${id}`, [[duration], int], ofDuration));
});
