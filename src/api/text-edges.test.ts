import { describe, expect, it } from 'vitest';
import { blanks, whiteSpace, withoutEdges, withoutEnd } from './text-edges.ts';

describe('edges of texts', () => {
  it.each([
    ['1.500', '0', '1.5'],
    ['000', '0', ''],
    ['a//b//', '/', 'a//b'],
    ['', '/', ''],
  ])('%j ends without %j', (text, chars, expected) => {
    expect(withoutEnd(text, chars)).toBe(expected);
  });

  it.each([
    ['  a b  ', ' ', 'a b'],
    ['\u3000\u0085a\u00a0\t', whiteSpace, 'a'],
    ['   ', ' ', ''],
  ])('%j is %j without %j around', (text, chars, expected) => {
    expect(withoutEdges(text, chars)).toBe(expected);
  });

  it('have the white space that Unicode has', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    expect([...whiteSpace].toSorted()).toEqual(all.filter((char) => /\p{White_Space}/u.test(char)));
    expect([...blanks].toSorted()).toEqual(all.filter((char) => /\p{Z}/u.test(char)));
  });

  it('take no time, however long they are', () => {
    const start = performance.now();
    expect(withoutEdges(`${' '.repeat(1_000_000)}a${' '.repeat(1_000_000)}b`, ' ')).toHaveLength(1_000_002);
    expect(performance.now() - start).toBeLessThan(200);
  });
});
