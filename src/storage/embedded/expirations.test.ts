import { expect, test } from 'vitest';
import { Expirations } from './expirations.ts';

const expiry = (key: string, expiresAtMs: number) => ({ key, modRevision: 1, expiresAtMs });

test('it is told when a key expires before all others', () => {
  const expirations = new Expirations();
  const expired: number[] = [];
  expirations.onSooner = () => expired.push(expirations.nextMs);
  expect(expirations.nextMs).toBe(Infinity);
  for (const [key, expiresAtMs] of [
    ['a', 5000],
    ['b', 9000],
    ['c', 4500],
    ['d', 1500],
  ] as const) {
    expirations.add(expiry(key, expiresAtMs));
  }
  expect(expired).toEqual([5000, 2000]);
});

test('the next one is known after others have been taken out', () => {
  const expirations = new Expirations();
  for (const [key, expiresAtMs] of [
    ['a', 1000],
    ['b', 9000],
    ['c', 3000],
  ] as const) {
    expirations.add(expiry(key, expiresAtMs));
  }
  expect(expirations.take(1000).map(({ key }) => key)).toEqual(['a']);
  expect(expirations.nextMs).toBe(3000);
  expect(expirations.take(10_000).map(({ key }) => key)).toEqual(['b', 'c']);
  expect(expirations.nextMs).toBe(Infinity);
});
