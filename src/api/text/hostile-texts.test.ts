import { describe, expect, it } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { canonicalBase64 } from '../bytes/base64.ts';
import { parseDuration } from '../time/duration.ts';
import { parseFieldSelector } from '../selectors/field-selector.ts';
import { parseGoUrl } from '../go/go-url.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { qualifiedNameErrors } from '../meta/names.ts';
import { canonicalQuantity } from '../values/quantity.ts';
import { parseTime } from '../time/time.ts';

// Client strings are parsed in linear time: quadratic time would be far beyond the limit for these.

const readers: { readonly [name: string]: (text: string) => unknown } = {
  canonicalBase64,
  canonicalQuantity,
  parseDuration,
  parseFieldSelector,
  parseGoUrl,
  parseLabelSelector,
  parseTime,
  qualifiedNameErrors,
};

const pumps = [' ', '/', '0', '9', '.', ',', 'a=b,', '\\', '%2', '1h', 'é', '\n', '('];

/** Most strings are rightly refused with the parser's own error. */
function readOrRefuse(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
  }
}

describe.each(Object.entries(readers))('%s', (_, read) => {
  it.each(pumps)('%j repeated many times', (pump) => {
    const text = `1${pump.repeat(300_000 / pump.length)}!`;
    expect(cpuTimeRatio(() => readOrRefuse(read, text), 1000)).toBeLessThan(1);
  });
});
