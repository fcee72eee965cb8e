import { expect, test } from 'vitest';
import { LoopCapacity } from './loop-capacity.ts';

/** A loop whose rounds take as long as they are told. */
class Loop {
  nowMs = 0;
  #ends: (() => void)[] = [];
  readonly capacity = new LoopCapacity({
    now: () => this.nowMs,
    afterRound: (run) => void this.#ends.push(run),
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

test('short rounds leave all seats, and free them at once', () => {
  const loop = new Loop();
  for (let round = 0; round < 100; round += 1) loop.round(5);
  expect([loop.capacity.share, loop.capacity.holdsSeats]).toEqual([1, false]);
});

test('long rounds take seats away in proportion, down to a sixteenth', () => {
  const loop = new Loop();
  loop.round(25);
  expect(loop.capacity.share).toBeCloseTo(0.8);
  loop.round(400);
  expect(loop.capacity.share).toBeCloseTo(0.4);
  for (let round = 0; round < 20; round += 1) loop.round(100);
  expect(loop.capacity.share).toBe(1 / 16);
});

test('seats come back while rounds are short', () => {
  const loop = new Loop();
  for (let round = 0; round < 20; round += 1) loop.round(100);
  for (let round = 0; round < 300; round += 1) loop.round(5);
  expect([loop.capacity.share, loop.capacity.holdsSeats]).toEqual([1, false]);
});

test('a request that has waited strains the loop for a second', () => {
  const loop = new Loop();
  loop.round(5, 30);
  expect(loop.capacity.holdsSeats).toBe(true);
  for (let round = 0; round < 200; round += 1) loop.round(5);
  expect(loop.capacity.holdsSeats).toBe(false);
});

test('what ends in a round is released together, when it ends', () => {
  const loop = new Loop();
  const released: number[] = [];
  loop.round(30);
  for (const at of [1, 2, 3]) loop.capacity.atEndOfRound(() => released.push(at));
  expect(released).toEqual([]);
  loop.round(1);
  expect(released).toEqual([1, 2, 3]);
});
