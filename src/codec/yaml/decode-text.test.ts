import { describe, expect, it } from 'vitest';
import { decodeYamlText, type YamlText } from './decode-text.ts';

function decode(latin1: string): YamlText {
  return decodeYamlText(Buffer.from(latin1, 'latin1'));
}

describe('decodeYamlText', () => {
  it('reads UTF-8 and UTF-16, and drops the byte order mark', () => {
    const text = 'a: \u00e9\u20ac\u{1f600}\n';
    const readsOn = Number.POSITIVE_INFINITY;
    expect(decodeYamlText(Buffer.from(text))).toEqual({ text, failsFrom: readsOn });
    expect(decodeYamlText(Buffer.from(`\ufeff${text}`))).toEqual({ text, failsFrom: readsOn });
    expect(decodeYamlText(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual({ text, failsFrom: readsOn });
    expect(decodeYamlText(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())).toEqual({
      text,
      failsFrom: readsOn,
    });
  });

  const problems: readonly [string, string][] = [
    ['a\xff', 'invalid leading UTF-8 octet'],
    ['a\xe2\x28\xa1', 'invalid trailing UTF-8 octet'],
    ['a\xc0\x80', 'invalid length of a UTF-8 sequence'],
    ['a\xed\xa0\x80', 'invalid Unicode character'],
    ['a\x01', 'control characters are not allowed'],
    ['a\xef\xbf\xbe', 'control characters are not allowed'],
    ['\xff\xfea\0\x00\xdc', 'unexpected low surrogate area'],
    ['\xff\xfea\0\x00\xd8a\0', 'expected low surrogate area'],
  ];
  it.each(problems)('stops before unreadable input: %j', (latin1, problem) => {
    expect(decode(latin1)).toEqual({ text: 'a', problem, failsFrom: 0 });
  });

  it('reports truncation only at the end', () => {
    expect(decode('a\xe2\x82')).toEqual({ text: 'a', problem: 'incomplete UTF-8 octet sequence', failsFrom: 1 });
    expect(decode('\xff\xfea\0a')).toEqual({ text: 'a', problem: 'incomplete UTF-16 character', failsFrom: 1 });
  });

  it('fails from the block of 512 bytes on that the problem is in', () => {
    expect(decode(`${'a'.repeat(511)}\x01`).failsFrom).toBe(0);
    expect(decode(`${'a'.repeat(600)}\x01`).failsFrom).toBe(512);
    // The second block starts with the character that did not fit into the first.
    expect(decode(`${'a'.repeat(511)}\xc3\xa9\x01`).failsFrom).toBe(511);
  });
});
