import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deadlineIn, msUntil, settledBy, timerMsUntil, waitAtMost } from './deadline.ts';

test('a time that has passed is over at once, without a warning', async () => {
  const warned = new AbortController();
  const warning = once(process, 'warning', { signal: warned.signal }).then(
    ([found]) => String(found),
    () => 'none',
  );
  const passed = deadlineIn(-5_000);
  const never = Promise.withResolvers<void>().promise;
  expect(msUntil(passed)).toBeLessThan(0);
  expect(timerMsUntil(passed)).toBe(0);
  await waitAtMost(msUntil(passed), never);
  await expect(settledBy(passed, never, () => new Error('late'))).rejects.toThrow('late');
  // Warnings are emitted later.
  await setImmediate();
  warned.abort();
  expect(await warning).toBe('none');
});
