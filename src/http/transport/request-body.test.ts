import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { BodyBudget } from './body-budget.ts';
import { readAll } from './request-body.ts';

const hour = 3_600_000;

it('a body in parts is joined', async () => {
  const budget = new BodyBudget(100);
  const stream = new PassThrough();
  const reading = readAll(stream, { limitBytes: 10, remainingMs: hour, share: budget.share() });
  for (const part of ['ab', 'cd', 'e']) stream.write(part);
  stream.end();
  expect((await reading).toString()).toBe('abcde');
  expect(budget.takenBytes).toBe(5);
});

it('one that exceeds the limit is refused, and drained', async () => {
  const stream = new PassThrough();
  const reading = readAll(stream, { limitBytes: 10, remainingMs: hour, share: new BodyBudget(100).share() });
  stream.write('x'.repeat(11));
  await expect(reading).rejects.toMatchObject({ status: { code: 413 } });
  expect(stream.readableFlowing).toBe(true);
});

it('one that does not arrive in time is refused', async () => {
  const stream = new PassThrough();
  const budget = new BodyBudget(100);
  const reading = readAll(stream, { limitBytes: 10, remainingMs: 1, share: budget.share() });
  stream.write('x');
  await expect(reading).rejects.toMatchObject({ status: { code: 504, reason: 'Timeout' } });
});

it('a truncated one is refused', async () => {
  const stream = new PassThrough();
  const reading = readAll(stream, { limitBytes: 10, remainingMs: hour, share: new BodyBudget(100).share() });
  stream.destroy();
  await expect(reading).rejects.toMatchObject({ status: { code: 400 } });
});

it('one that has ended before anybody listens is empty, and one that has been cut off is refused', async () => {
  const budget = new BodyBudget(100);
  const limits = { limitBytes: 10, remainingMs: hour, share: budget.share() };
  const ended = new PassThrough();
  ended.end();
  ended.read(0);
  await once(ended, 'end');
  expect(await readAll(ended, limits)).toHaveLength(0);
  const cut = new PassThrough();
  cut.destroy();
  await once(cut, 'close');
  await expect(readAll(cut, limits)).rejects.toMatchObject({ status: { code: 400 } });
});

it('without room nothing more is read until there is some', async () => {
  const budget = new BodyBudget(4);
  const other = budget.share();
  void other.take(4);
  const stream = new PassThrough();
  const share = budget.share();
  const reading = readAll(stream, { limitBytes: 10, remainingMs: hour, share });
  stream.end('abc');
  await expect.poll(() => stream.readableFlowing).toBe(false);
  other.release();
  expect((await reading).toString()).toBe('abc');
  share.release();
  expect(budget.takenBytes).toBe(0);
});
