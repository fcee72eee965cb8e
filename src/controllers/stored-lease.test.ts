import { expect, test } from 'vitest';
import { isExpired } from './stored-lease.ts';

const nowMs = Date.parse('2026-11-22T12:00:00Z');

test.each([
  ['2026-11-22T11:00:01.000000Z', 3600, false],
  ['2026-11-22T10:59:59.000000Z', 3600, true],
  ['2026-11-22T11:59:59.000000Z', 0, true],
  [undefined, 3600, true],
  ['2026-11-22T11:59:59.000000Z', undefined, true],
])('renewed at %s for %s seconds: expired is %s', (renewTime, leaseDurationSeconds, expired) => {
  const spec = { ...(renewTime && { renewTime }), ...(leaseDurationSeconds !== undefined && { leaseDurationSeconds }) };
  expect(isExpired({ spec }, nowMs)).toBe(expired);
});

test('a lease that says nothing is expired', () => {
  expect(isExpired({}, nowMs)).toBe(true);
});
