import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate } from './concurrency-allocation.ts';

test('in proportion to targets, within bounds', () => {
  expect(
    allocate(30, [
      { target: 20, lower: 5, upper: 40 },
      { target: 40, lower: 5, upper: 10 },
    ]),
  ).toEqual({ seats: [20, 10], fairFraction: 1 });
});

test.each([
  [1, [{ target: 2, lower: 2, upper: 3 }]],
  [5, [{ target: 2, lower: 2, upper: 3 }]],
])('bounds that leave no solution for %d', (total, claims) => {
  expect(allocate(total, claims)).toBeUndefined();
});

test('adds up; each is at its target times the fraction, or at the bound that keeps it from there', () => {
  const number = fc.double({ min: 0, max: 100, noNaN: true });
  const claim = fc.tuple(number, number, number).map(([lower, target, upper]) => {
    return { lower, target: lower + target, upper: lower + upper };
  });
  const property = fc.property(
    fc.array(claim, { minLength: 1, maxLength: 9 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    (claims, part) => {
      const low = claims.reduce((sum, { lower }) => sum + lower, 0);
      const high = claims.reduce((sum, { upper }) => sum + upper, 0);
      const total = low + (high - low) * part;
      const allocation = allocate(total, claims);
      if (allocation === undefined) throw new Error('there is a solution');
      expect(allocation.seats.reduce((sum, seats) => sum + seats, 0)).toBeCloseTo(total, 4);
      for (const [at, { target, lower, upper }] of claims.entries()) {
        const aim = allocation.fairFraction * Math.max(target, 0.001);
        expect(allocation.seats[at]).toBeCloseTo(Math.max(lower, Math.min(upper, aim)), 4);
      }
    },
  );
  fc.assert(property, { numRuns: 2_000 });
});
