import { expect, test } from 'vitest';
import { LoopCapacity } from './loop-capacity.ts';

/** A loop whose rounds take as long as they are told. */
class Loop {
  nowMs = 0;
  #ends: (() => void)[] = [];
  readonly capacity = new LoopCapacity({
    now: () => this.nowMs,
    afterRound: (run) => void this.#ends.push(run),
    afterWork: (run) => run(),
  });

  /** A request is seen at the beginning of a round. */
  round(ms: number, waitedMs = 0): void {
    this.capacity.sees(this.nowMs - waitedMs, this.nowMs);
    this.nowMs += ms;
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
    this.nowMs += 1;
  }
}

test('short rounds free seats at once', () => {
  const loop = new Loop();
  for (let round = 0; round < 100; round += 1) loop.round(5);
  expect(loop.capacity.isStrained).toBe(false);
});

test.each([
  ['a long round', 30, 0],
  ['a request that has waited', 5, 30],
])('%s strains the loop for a second', (_, ms, waitedMs) => {
  const loop = new Loop();
  loop.round(ms, waitedMs);
  expect(loop.capacity.isStrained).toBe(true);
  for (let round = 0; round < 150; round += 1) loop.round(5);
  expect(loop.capacity.isStrained).toBe(true);
  for (let round = 0; round < 50; round += 1) loop.round(5);
  expect(loop.capacity.isStrained).toBe(false);
});

test('seats that nobody waits for are freed together at the end of the round', () => {
  const loop = new Loop();
  const released: number[] = [];
  for (const seat of [1, 2, 3]) loop.capacity.hold(() => released.push(seat) === 0);
  expect(released).toEqual([]);
  loop.round(1);
  expect(released).toEqual([1, 2, 3]);
});

test('what gets seats runs one after the other, as many as fit into five milliseconds of each round', () => {
  const loop = new Loop();
  const released: number[] = [];
  const running = (seat: number, ms: number) => (): boolean => {
    released.push(seat);
    loop.nowMs += ms;
    return true;
  };
  for (let seat = 0; seat < 5; seat += 1) loop.capacity.hold(running(seat, 2));
  for (let seat = 5; seat < 8; seat += 1) loop.capacity.hold(running(seat, 100));
  const after: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    loop.round(1);
    after.push(released.length);
  }
  expect(after).toEqual([3, 6, 7, 8, 8, 8]);
  expect(released).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('what gets a seat and ends at once keeps it until the next round', () => {
  const loop = new Loop();
  const served: string[] = [];
  const level = (name: string, waiting: number) => (): boolean => {
    if (served.filter((each) => each === name).length === waiting) return false;
    served.push(name);
    loop.capacity.hold(level(name, waiting));
    return true;
  };
  loop.capacity.hold(level('greedy', 50));
  loop.capacity.hold(level('modest', 3));
  for (let round = 0; round < 4; round += 1) loop.round(1);
  expect(served.join(' ')).toBe('greedy modest greedy modest greedy modest greedy');
});
