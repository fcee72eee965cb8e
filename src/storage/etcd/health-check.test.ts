import { expect, test } from 'vitest';
import { healthCheck } from './health-check.ts';

function fixture(): { check(): Promise<void>; probes: number[]; pass(ms: number): void; fails: boolean } {
  let nowMs = 5000;
  const probes: number[] = [];
  const state = {
    probes,
    fails: false,
    pass: (ms: number) => void (nowMs += ms),
    check: healthCheck(
      async (untilMs) => {
        probes.push(untilMs);
        if (state.fails) throw new Error('away');
      },
      2000,
      () => nowMs,
    ),
  };
  return state;
}

test('asks at most twice in its timeout', async () => {
  const state = fixture();
  for (let turn = 0; turn < 10; turn++) {
    await state.check();
    state.pass(250);
  }
  expect(state.probes).toEqual([7000, 8000, 9000]);
});

test('reports failures, also to calls in between, until it recovers', async () => {
  const state = fixture();
  state.fails = true;
  await expect(state.check()).rejects.toThrow('error getting data from etcd: Error: away');
  state.fails = false;
  await expect(state.check()).rejects.toThrow('away');
  state.pass(1000);
  await state.check();
  await state.check();
  expect(state.probes).toHaveLength(2);
});

test('before the first response there is no connection', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = healthCheck(() => promise, 2000);
  const first = check();
  await expect(check()).rejects.toThrow('etcd client connection not yet established');
  resolve();
  await first;
  await check();
});
