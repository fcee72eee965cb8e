import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SparseBuckets, zeroThreshold } from './sparse-buckets.ts';

function observed(...values: readonly number[]): SparseBuckets {
  const buckets = new SparseBuckets();
  for (const value of values) buckets.observe(value, 1);
  return buckets;
}

// As client_golang counts them, with a bucket factor of 1.1.
test.each([
  [1, 0],
  [1.0001, 1],
  [0.5, -8],
  [2, 8],
  [0.005, -61],
  [60, 48],
  [1e-9, -239],
  [Number.POSITIVE_INFINITY, 8193],
  [Number.MAX_VALUE, 8192],
])('%d is in bucket %i', (value, bucket) => {
  expect([...observed(value).positive]).toEqual([[bucket, 1]]);
  expect([...observed(-value).negative]).toEqual([[bucket, 1]]);
});

test('what is almost zero is in no bucket, and what is no number is nowhere', () => {
  const buckets = observed(0, -0, zeroThreshold, -zeroThreshold, Number.NaN);
  expect([buckets.zeros, buckets.positive.size, buckets.negative.size]).toEqual([4, 0, 0]);
});

const positive = fc.double({ min: 1e-30, max: 1e30, noNaN: true });

test('a bucket contains what is in it', () => {
  fc.assert(
    fc.property(positive, (value) => {
      const { positive: found, schema } = observed(value);
      const [bucket = 0] = found.keys();
      const factor = 2 ** (2 ** -schema);
      // Bounds are irrational numbers, rounded.
      expect(value).toBeLessThanOrEqual(factor ** bucket * (1 + 1e-12));
      expect(value).toBeGreaterThan(factor ** (bucket - 1) * (1 - 1e-12));
    }),
  );
});

test('however many values there are, buckets are few, nothing is lost, and each is where it would be alone', () => {
  fc.assert(
    fc.property(fc.array(positive, { minLength: 300, maxLength: 600 }), (values) => {
      const { positive: found, schema } = observed(...values);
      expect(found.size).toBeLessThanOrEqual(160);
      expect([...found.values()].reduce((sum, count) => sum + count, 0)).toBe(values.length);
      const expected = new Map<number, number>();
      for (const value of values) {
        const [alone = 0] = observed(value).positive.keys();
        const bucket = Math.ceil(alone / 2 ** (3 - schema));
        expected.set(bucket, (expected.get(bucket) ?? 0) + 1);
      }
      expect(new Map(found)).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});
