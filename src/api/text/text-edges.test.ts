import { describe, expect, it } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { blanks, whiteSpace, withoutEdges, withoutEnd } from './text-edges.ts';

describe('trimming', () => {
  it.each([
    ['1.500', '0', '1.5'],
    ['000', '0', ''],
    ['a//b//', '/', 'a//b'],
    ['', '/', ''],
  ])('%j is trimmed at the end without %j', (text, chars, expected) => {
    expect(withoutEnd(text, chars)).toBe(expected);
  });

  it.each([
    ['  a b  ', ' ', 'a b'],
    ['\u3000\u0085a\u00a0\t', whiteSpace, 'a'],
    ['   ', ' ', ''],
  ])('%j is %j without %j around', (text, chars, expected) => {
    expect(withoutEdges(text, chars)).toBe(expected);
  });

  it('use Unicode white space', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    expect([...whiteSpace].toSorted()).toEqual(all.filter((char) => /\p{White_Space}/u.test(char)));
    expect([...blanks].toSorted()).toEqual(all.filter((char) => /\p{Z}/u.test(char)));
  });

  it('are trimmed quickly, however long they are', () => {
    const text = `${' '.repeat(1_000_000)}a${' '.repeat(1_000_000)}b`;
    expect(cpuTimeRatio(() => withoutEdges(text, ' '), 200)).toBeLessThan(1);
  });
});
