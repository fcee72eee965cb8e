import { expect, test } from 'vitest';
import { Leases } from './leases.ts';

interface Fixture {
  readonly leases: Leases;
  readonly granted: number[];
  readonly replaced: number[];
  pass(seconds: number): void;
}

function fixture(): Fixture {
  let nowMs = 1_000_000;
  const granted: number[] = [];
  const grant = async (seconds: number): Promise<bigint> => BigInt(granted.push(seconds));
  const replaced: number[] = [];
  const leases = new Leases(grant, { reuseSeconds: 60, now: () => nowMs, onReplaced: (keys) => replaced.push(keys) });
  return { leases, granted, replaced, pass: (seconds) => (nowMs += seconds * 1000) };
}

test('keys written within a minute share a lease with an extra minute', async () => {
  const { leases, granted, pass } = fixture();
  expect(await leases.take(3600)).toBe(1n);
  pass(30);
  expect(await leases.take(3600)).toBe(1n);
  pass(29);
  expect(await leases.take(3600)).toBe(1n);
  pass(1);
  expect(await leases.take(3600)).toBe(2n);
  expect(granted).toEqual([3660, 3660]);
});

test('short TTLs share within 5 %, very short ones not at all', async () => {
  const { leases, granted, pass } = fixture();
  await leases.take(100);
  pass(4);
  expect(await leases.take(100)).toBe(1n);
  pass(1);
  expect(await leases.take(100)).toBe(2n);
  expect(await leases.take(10)).toBe(3n);
  expect(await leases.take(10)).toBe(4n);
  expect(granted).toEqual([105, 105, 10, 10]);
});

test('a lease with a much longer TTL is not reused', async () => {
  const { leases } = fixture();
  await leases.take(3600);
  expect(await leases.take(60)).toBe(2n);
});

test('a lease serves 1000 keys', async () => {
  const { leases } = fixture();
  const ids = [];
  for (let key = 0; key < 2001; key++) ids.push(await leases.take(3600));
  expect([ids[999], ids[1000], ids[1999], ids[2000]]).toEqual([1n, 2n, 2n, 3n]);
});

test('the number of keys is told when a lease gets no more of them', async () => {
  const { leases, replaced, pass } = fixture();
  for (let key = 0; key < 1001; key++) await leases.take(3600);
  expect(replaced).toEqual([1000]);
  leases.forget(await leases.take(3600));
  expect(replaced).toEqual([1000, 2]);
  await leases.take(3600);
  expect(replaced).toEqual([1000, 2]);
  pass(60);
  await leases.take(3600);
  expect(replaced).toEqual([1000, 2, 1]);
});

test('concurrent callers make one request', async () => {
  const { leases, granted } = fixture();
  const ids = await Promise.all(Array.from({ length: 50 }, () => leases.take(3600)));
  expect(new Set(ids)).toEqual(new Set([1n]));
  expect(granted).toHaveLength(1);
});

test('if a grant fails all callers get the error, and the next one tries again', async () => {
  let calls = 0;
  const leases = new Leases(async () => {
    calls += 1;
    if (calls === 1) throw new Error('away');
    return 7n;
  });
  const results = await Promise.allSettled([leases.take(100), leases.take(100)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await leases.take(100)).toBe(7n);
});

test('a forgotten lease is not returned again', async () => {
  const { leases } = fixture();
  const id = await leases.take(3600);
  leases.forget(id);
  expect(await leases.take(3600)).toBe(2n);
});
