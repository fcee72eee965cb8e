import { expect, test } from 'vitest';
import { endOfRound } from './end-of-round.ts';

async function afterwards(log: string[], name: string): Promise<void> {
  await endOfRound();
  log.push(name);
}

test('what several callers do afterwards is done in a row', async () => {
  const log: string[] = [];
  const immediate = new Promise<void>((resolve) => {
    setImmediate(() => {
      log.push('another');
      resolve();
    });
  });
  const first = afterwards(log, 'first');
  await Promise.resolve();
  log.push('in between');
  await Promise.all([first, afterwards(log, 'second'), immediate]);
  expect(log).toEqual(['in between', 'another', 'first', 'second']);
});

test('each round has an end of its own', async () => {
  await endOfRound();
  let hasEnded = false;
  const second = endOfRound().then(() => (hasEnded = true));
  await Promise.resolve();
  expect(hasEnded).toBe(false);
  await second;
});
