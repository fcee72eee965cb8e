import { describe, expect, it } from 'vitest';
import { humanDuration } from './human-duration.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

describe('humanDuration', () => {
  it.each<[number, string]>([
    [-2 * second, '<invalid>'],
    [-1_999, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [999, '0s'],
    [second, '1s'],
    [2 * minute - 1, '119s'],
    [2 * minute, '2m'],
    [2 * minute + second, '2m1s'],
    [10 * minute - second, '9m59s'],
    [10 * minute, '10m'],
    [10 * minute + 59 * second, '10m'],
    [3 * hour - minute, '179m'],
    [3 * hour, '3h'],
    [3 * hour + minute, '3h1m'],
    [8 * hour - minute, '7h59m'],
    [8 * hour, '8h'],
    [2 * day - hour, '47h'],
    [2 * day, '2d'],
    [2 * day + hour, '2d1h'],
    [8 * day - hour, '7d23h'],
    [8 * day, '8d'],
    [2 * year - hour, '729d'],
    [2 * year, '2y'],
    [2 * year + day, '2y1d'],
    [8 * year - day, '7y364d'],
    [8 * year, '8y'],
    [25 * year + 3 * day, '25y'],
    [2_025 * year, '292y'],
  ])('prints %d ms as %s', (durationMs, text) => {
    expect(humanDuration(durationMs)).toBe(text);
  });
});
