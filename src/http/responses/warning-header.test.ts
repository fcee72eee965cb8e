import { describe, expect, it } from 'vitest';
import { warningHeaders } from './warning-header.ts';

describe('warningHeaders', () => {
  it('quotes', () => {
    expect(warningHeaders(['a "b" \\', '\u00e9'])).toEqual(['299 - "a \\"b\\" \\\\"', '299 - "\u00c3\u00a9"']);
  });

  it('omits what cannot go into a header', () => {
    expect(warningHeaders(['a\u0001', 'b\u0085', 'c'])).toEqual(['299 - "c"']);
  });

  it('truncates all when there are too many characters', () => {
    const long = 'x'.repeat(1000);
    expect(warningHeaders([long, long, long, long])).toHaveLength(4);
    expect(warningHeaders([long, long, long, long, long])).toEqual(Array(5).fill(`299 - "${'x'.repeat(256)}"`));
  });

  it('stops when even the truncated ones are too many', () => {
    const texts = Array.from({ length: 300 }, (_, i) => `line ${i + 100}: key`);
    // 13 characters each: the 316th would exceed 4096.
    expect(warningHeaders([...texts, ...texts.map((text) => `${text}s`)])).toHaveLength(315);
  });
});
