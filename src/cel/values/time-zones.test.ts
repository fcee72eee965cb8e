import { expect, test } from 'vitest';
import { localTime } from './time-zones.ts';
import { CelError, Timestamp } from './value.ts';

/** 2024-07-01T00:00:00Z */
const noon = new Timestamp(1_719_792_000, 0);

function minutesIn(zone: string): number | string {
  const local = localTime(noon, zone);
  return local instanceof CelError ? local.message : local.hours * 60 + local.minutes;
}

test.each([
  ['', 0],
  ['UTC', 0],
  ['Local', (1440 - new Date(1_719_792_000_000).getTimezoneOffset()) % 1440],
  ['Europe/Paris', 120],
  ['EST', 1140],
  ['+01:00', 60],
  ['-01:30', 1350],
  ['01:00', 60],
  ['Asia/Kolkata', 330],
])('%j is %d minutes after midnight', (zone, minutes) => expect(minutesIn(zone)).toBe(minutes));

// What kube-apiserver says.
test.each([
  ...['Utc', 'utc', 'local', 'EUROPE/PARIS', 'europe/paris', 'SystemV/EST5', 'nope', 'Z', '+0100'].map(
    (zone) => [zone, `unknown time zone ${zone}`] as const,
  ),
  ['../UTC', 'time: invalid location name'] as const,
  ['/etc/localtime', 'time: invalid location name'] as const,
  [':', 'strconv.Atoi: parsing "": invalid syntax'] as const,
])('%j is no time zone', (zone, why) => expect(minutesIn(zone)).toBe(why));
