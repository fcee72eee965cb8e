import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LateRequestError } from '../../api/errors/status-errors.ts';
import { LargeBodyLimit } from './large-body-limit.ts';

const mebibyte = 1024 * 1024;
/** Resolves when all that may enter have: each takes a round of the event loop. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 20; round += 1) await setImmediate();
};

test('small bodies do not wait', () => {
  expect(new LargeBodyLimit().enter(1000, Infinity)).toBeUndefined();
});

test('large bodies enter few at a time, in order of arrival', async () => {
  const gate = new LargeBodyLimit();
  const entered: number[] = [];
  const ends = new Map<number, () => void>();
  for (let i = 0; i < 6; i += 1) {
    void gate.enter(3 * mebibyte, Infinity)?.then((end) => {
      entered.push(i);
      ends.set(i, end);
    });
  }
  await settled();
  expect(entered).toEqual([0, 1, 2, 3]);
  ends.get(2)?.();
  // A second call has no effect.
  ends.get(2)?.();
  await settled();
  expect(entered).toEqual([0, 1, 2, 3, 4]);
  ends.get(0)?.();
  await settled();
  expect(entered).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a compact body counts for what it may become', async () => {
  const gate = new LargeBodyLimit();
  let entered = 0;
  for (let i = 0; i < 20; i += 1) void gate.enter(0.4 * mebibyte, Infinity)?.then(() => (entered += 1));
  await settled();
  expect(entered).toBe(4);
});

test('a request whose deadline passes while it waits is late, and those after it enter', async () => {
  const gate = new LargeBodyLimit();
  const ends = await Promise.all([0, 1, 2, 3].map(async () => gate.enter(3 * mebibyte, Infinity)));
  const late = gate.enter(3 * mebibyte, performance.now() + 20);
  const next = gate.enter(3 * mebibyte, Infinity);
  await expect(late).rejects.toThrow(LateRequestError);
  ends[0]?.();
  expect(await next).toBeTypeOf('function');
});
