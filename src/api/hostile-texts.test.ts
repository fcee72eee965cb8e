import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.ts';
import { parseFieldSelector } from './field-selector.ts';
import { parseGoUrl } from './go-url.ts';
import { parseLabelSelector } from './label-selector.ts';
import { qualifiedNameErrors } from './names.ts';
import { canonicalQuantity } from './quantity.ts';
import { parseTime } from './time.ts';

// Texts of clients are read in time that grows with their length: of twice the length in twice the time, with much to spare.

const readers: { readonly [name: string]: (text: string) => unknown } = {
  canonicalQuantity,
  parseDuration,
  parseFieldSelector,
  parseGoUrl,
  parseLabelSelector,
  parseTime,
  qualifiedNameErrors,
};

const pumps = [' ', '/', '0', '9', '.', ',', 'a=b,', '\\', '%2', '1h', 'é', '\n', '('];

function time(read: (text: string) => unknown, text: string): number {
  const start = performance.now();
  try {
    read(text);
  } catch (error) {
    // A refusal in the reader's own words is what most of them deserve.
    if (error instanceof RangeError) throw error;
  }
  return performance.now() - start;
}

describe.each(Object.entries(readers))('%s', (_, read) => {
  it.each(pumps)('%j many times', (pump) => {
    const text = (length: number): string => `1${pump.repeat(length / pump.length)}!`;
    const short = time(read, text(25_000));
    const long = time(read, text(200_000));
    expect(long).toBeLessThan(Math.max(150, 30 * short));
  });
});
