import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginRequest, foundSeat } from './begin-requests.ts';

test('requests that come one at a time begin at once, several of a round at its end', async () => {
  const begun: string[] = [];
  const arrive = (...names: readonly string[]): void => {
    for (const name of names) beginRequest({}, () => begun.push(name));
  };
  await setImmediate();
  for (const name of ['a', 'b', 'c']) {
    arrive(name);
    expect(begun.at(-1)).toBe(name);
    await setImmediate();
  }
  arrive('d', 'e', 'f');
  expect(begun.join('')).toBe('abcd');
  await setImmediate();
  expect(begun.join('')).toBe('abcdef');
  // Others are likely to come.
  arrive('g');
  expect(begun.join('')).toBe('abcdef');
  await setImmediate();
  arrive('h');
  expect(begun.join('')).toBe('abcdefgh');
  await setImmediate();
});

test('of many requests a few begin in one round, and connections take turns', async () => {
  const begun: string[] = [];
  const arrive = (name: string, count: number): void => {
    const connection = {};
    for (let index = 0; index < count; index += 1) beginRequest(connection, () => begun.push(`${name}${index}`));
  };
  await setImmediate();
  arrive('a', 100);
  arrive('b', 3);
  while (begun.length < 40) await setImmediate();
  const ofA = Array.from({ length: 100 }, (_, index) => `a${index}`);
  expect(begun.slice(0, 40)).toEqual([...ofA.slice(0, 32), 'a32', 'b0', 'a33', 'b1', 'a34', 'b2', 'a35', 'a36']);
  while (begun.length < 103) await setImmediate();
  expect(begun.filter((name) => name.startsWith('a'))).toEqual(ofA);
});

test('those of other rounds do not count', async () => {
  let begun = 0;
  for (let each = 0; each < 100; each += 1) {
    for (let index = 0; index < 30; index += 1) beginRequest({}, () => (begun += 1));
    await setImmediate();
    expect(begun).toBe(30 * (each + 1));
  }
});

test('fewer begin in one round if they take long', async () => {
  const perRound: number[] = [];
  let begun = 0;
  const slow = async (): Promise<void> => {
    await Promise.resolve();
    for (const endMs = performance.now() + 2; performance.now() < endMs;);
    begun += 1;
  };
  await setImmediate();
  for (let index = 0; index < 60; index += 1) beginRequest({}, () => void slow());
  for (let before = 0; begun < 60; before = begun) {
    await setImmediate();
    if (begun > before) perRound.push(begun - before);
  }
  // The first round does not know yet how long they take.
  expect(perRound[0]).toBeGreaterThanOrEqual(32);
  expect(Math.max(...perRound.slice(1))).toBeLessThanOrEqual(3);
});

test('connections whose last request found no seat have one turn in four while others wait', async () => {
  await setImmediate();
  const begun: string[] = [];
  const [queued, refused, seated] = [{}, {}, {}];
  foundSeat(queued, false);
  foundSeat(refused, false);
  foundSeat(seated, false);
  foundSeat(seated, true);
  const arrive = (connection: object, name: string, count: number): void => {
    for (let index = 0; index < count; index += 1) beginRequest(connection, () => begun.push(name));
  };
  arrive(seated, 's', 100);
  arrive(queued, 'q', 20);
  arrive(refused, 'r', 20);
  while (begun.length < 140) await setImmediate();
  expect(begun.join('')).toMatch(/^s{32,35}(?:qsssrsss){4,}(?:qs{1,3})?[qr]+$/);
});

test('every request begins once, those of a connection in order', async () => {
  // How many requests arrive on which connection in each round; requests may come while others begin.
  const rounds = fc.array(fc.array(fc.tuple(fc.nat(4), fc.nat(60), fc.boolean()), { maxLength: 4 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const connections = Array.from({ length: 5 }, () => ({ arrived: 0, begun: [] as number[] }));
      const arrive = (at: number, more: boolean): void => {
        const connection = connections[at];
        if (connection === undefined) throw new Error('no such connection');
        const number = connection.arrived;
        connection.arrived += 1;
        beginRequest(connection, () => {
          connection.begun.push(number);
          if (more) arrive((at + 1) % 5, false);
        });
      };
      for (const round of all) {
        for (const [at, count, more] of round) for (let index = 0; index < count; index += 1) arrive(at, more);
        await setImmediate();
      }
      const isOver = (): boolean => connections.every(({ arrived, begun }) => begun.length >= arrived);
      for (let left = 1_000; !isOver() && left > 0; left -= 1) await setImmediate();
      for (const { arrived, begun } of connections) expect(begun).toEqual(Array.from({ length: arrived }, (_, n) => n));
    }),
  );
});
