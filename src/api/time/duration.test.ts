import { expect, it } from 'vitest';
import { DurationError, parseDuration } from './duration.ts';

it('reads the units of Go', () => {
  expect(parseDuration('1h2m3.5s')).toBe(3_723_500_000_000n);
  expect(parseDuration(`${'0'.repeat(100_000)}1s`)).toBe(1_000_000_000n);
  expect(parseDuration('-9223372036854775808ns')).toBe(-(2n ** 63n));
});

it('refuses millions of digits in linear time', () => {
  const startMs = performance.now();
  expect(() => parseDuration(`${'9'.repeat(500_000)}s`)).toThrow(DurationError);
  expect(() => parseDuration(`${'1h'.repeat(500_000)}x`)).toThrow(DurationError);
  expect(performance.now() - startMs).toBeLessThan(10_000);
});
