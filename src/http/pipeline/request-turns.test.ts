import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { beginInTurn } from './request-turns.ts';

test('of many requests a few begin at once, and connections take turns', async () => {
  const begun: string[] = [];
  const arrive = (name: string, count: number): void => {
    const connection = {};
    for (let index = 0; index < count; index += 1) beginInTurn(connection, () => begun.push(`${name}${index}`));
  };
  arrive('a', 400);
  arrive('b', 3);
  expect(begun.length).toBeLessThanOrEqual(128);
  const atOnce = begun.length;
  await setImmediate();
  // The first turn may be that of requests before.
  while (begun.length === atOnce) await setImmediate();
  expect(begun.slice(atOnce, atOnce + 8)).toEqual(
    [0, 1, 2].flatMap((index) => [`a${atOnce + index}`, `b${index}`]).concat(`a${atOnce + 3}`, `a${atOnce + 4}`),
  );
  while (begun.length < 403) await setImmediate();
  expect(begun.filter((name) => name.startsWith('a'))).toEqual(Array.from({ length: 400 }, (_, index) => `a${index}`));
});

test('few requests begin at once', async () => {
  for (let round = 0; round < 100; round += 1) {
    let begun = 0;
    for (let index = 0; index < 3; index += 1) beginInTurn({}, () => (begun += 1));
    await setImmediate();
    expect(begun).toBe(3);
  }
});
