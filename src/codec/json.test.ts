import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { encodeAny, encodeRaw } from '../api/json/json-text.ts';
import { JsonMembers, JsonNumber, nodeAtDepth, plainOf } from '../api/json/json-tree.ts';
import { BodyLimitError, maxCollections } from './body-limits.ts';
import { indentJson } from './json-indent.ts';
import { findSyntaxError, JsonSyntaxError } from './json-syntax.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { parseDeepJson, parseJson, parseOwnJson } from './json.ts';

function parse(text: string): ReturnType<typeof parseJson> {
  return parseJson(Buffer.from(text));
}

describe('parseJson', () => {
  it('agrees with JSON.parse on what both accept', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        // Integers above 2^53 have their own test.
        fc.pre(!/\d{16,}/.test(text));
        const source = parse(text);
        const expected = JSON.parse(text) as JsonValue; // JSON.parse returns JSON
        expect(source.value).toEqual(expected);
        expect(plainOf(source.tree())).toEqual(expected);
      }),
    );
  });

  it('accepts and refuses the same as JSON.parse', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '0',
      '.5',
      'e1',
      'true',
      'nul',
      'l',
      ' ',
      '\\u',
      '\n',
      '\u00e9',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(findSyntaxError(Buffer.from(text)) === undefined).toBe(valid);
      }),
      { numRuns: 2000 },
    );
  });

  const faithful: readonly [string, boolean][] = [
    ['{"a":1,"b":{"c":[{"d":"x:y"}]}}', true],
    ['{"a":1,"a":2}', false],
    ['{"a":{"b":1,"b":2}}', false],
    ['{"\\u0061":1,"a":2}', false],
    ['{"a":1.5}', false],
    ['{"a":1e3}', false],
    ['{"a":1234567890123456}', false],
    ['{"a":123456789012345}', true],
    ['{"a":"1234567890123456.5"}', true],
    ['{"a":"\\ud800"}', false],
    ['{"__proto__":{"a":1}}', true],
    ['{"a":"b\\"c:d"}', true],
  ];
  it.each(faithful)('%s: plain data is sufficient: %s', (text, expected) => {
    expect(parse(text).faithful).toBe(expected);
  });

  it('keeps 64-bit integers', () => {
    expect(parse('[9223372036854775807,-9223372036854775808,9223372036854775808,1234567890123456]').value).toEqual([
      9223372036854775807n,
      -9223372036854775808n,
      9223372036854775808,
      1234567890123456,
    ]);
  });

  it('yields members in order with duplicates and number literals', () => {
    expect(parse('{"b":1.0,"1":[],"b":null}').tree()).toEqual(
      new JsonMembers(['b', '1', 'b'], [new JsonNumber('1.0'), [], null]),
    );
  });

  it('keeps __proto__ as data', () => {
    const { value } = parse('{"__proto__":1,"a":1.5}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'a']); // an object, by the text
  });

  it('replaces lone surrogates and invalid UTF-8', () => {
    expect(parse('"\\ud800a\\ud83d\\ude00"').value).toBe('\ufffda\u{1f600}');
    expect(decodeUtf8(Buffer.from([0x61, 0xe2, 0x82, 0xff, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80]))).toBe(
      'a\ufffd\ufffd\ufffd\u00e9\u{1f600}',
    );
  });

  const errors: readonly [string, string][] = [
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['"a', 'unexpected end of JSON input'],
    ['{a}', "invalid character 'a' looking for beginning of object key string"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{}{}', "invalid character '{' after top-level value"],
    ['"\u0001"', "invalid character '\\x01' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12x"', "invalid character 'x' in \\u hexadecimal character escape"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+x', "invalid character 'x' in exponent of numeric literal"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['nul', "invalid character ' ' in literal null (expecting 'l')"],
    ['"\\', "invalid character ' ' in string escape code"],
    ['-', "invalid character ' ' in numeric literal"],
    ["'", "invalid character '\\'' looking for beginning of value"],
    ['\u00e9', "invalid character '\u00c3' looking for beginning of value"],
  ];
  it.each(errors)('refuses %j', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it.each([
    ['\\', '"\\t"'],
    ['a\\', '"a\\n"'],
    ['k:{\\"name\\":\\"we', '"k:{\\"name\\":\\"web\\"}"'],
    ['\\', '"\\u0061"'],
  ])('decodes an escaped key correctly after the key %j at the same position', (before, key) => {
    const kept = parse(`{"first":1,${JSON.stringify(before)}:2}`);
    expect(Object.keys(parse(`{"first":1,${key}:2}`).value as JsonObject)).toEqual(['first', JSON.parse(key)]);
    expect(Object.keys(kept.value as JsonObject)).toEqual(['first', before]);
  });

  it.each([
    ['[,LARGE]', "invalid character ',' looking for beginning of value"],
    ['[LARGE LARGE]', "invalid character '[' after array element"],
    ['{"a":LARGE', 'unexpected end of JSON input'],
    ['{"a":LARGE]', "invalid character ']' after object key:value pair"],
    ['{"a":"b":LARGE}', "invalid character ':' after object key:value pair"],
    [' LARGE"', "invalid character '\"' after top-level value"],
    ['["LONG" 1]', "invalid character '1' after array element"],
    ['{"a":"LONG\\x"}', "invalid character 'x' in string escape code"],
    ['{"a":"LONG', 'unexpected end of JSON input'],
  ])('refuses %s, however large, like Go', (template, message) => {
    const large = `[${Array<string>(3_000).fill('"abcdefgh"').join(',')}]`;
    const text = template.replaceAll('LARGE', large).replace('LONG', 'a'.repeat(300_000));
    expect(() => parse(text)).toThrow(new JsonSyntaxError(message));
  });

  it('finds duplicate keys wherever they are', () => {
    const far = Array.from({ length: 5_000 }, (_, i) => `"key-${i}":1`).join(',');
    expect(parse(`{${far}}`).faithful).toBe(true);
    expect(parse(`{"key-4999":0,${far}}`).faithful).toBe(false);
  });

  it('refuses more objects and lists than a body may have', () => {
    const held = maxCollections - 1;
    const list = (count: number, item: string): string => `[${Array<string>(count).fill(item).join(',')}]`;
    expect(parse(list(held, '{}')).value).toHaveLength(held);
    expect(() => parse(list(held + 1, '[]'))).toThrow(BodyLimitError);
    expect(() => parse(list(held + 1, 'null'))).toThrow(BodyLimitError);
    expect(parseOwnJson(Buffer.from(list(held + 1, '[]'))).value).toHaveLength(held + 1);
    // What is met first.
    expect(() => parse('['.repeat(200_000))).toThrow('exceeded max depth');
  });

  it('bounds the nesting', () => {
    const nested = (depth: number): Buffer => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    expect(Array.isArray(parseJson(nested(2500)).value)).toBe(true);
    expect(() => parseJson(nested(2501))).toThrow('exceeded max depth');
    const { value, tree } = parseDeepJson(nested(10_000));
    expect(nodeAtDepth(tree(), 9_999)).toEqual([]);
    expect(nodeAtDepth(tree(), 10_000)).toBeUndefined();
    expect(Array.isArray(value)).toBe(true);
    expect(() => parseDeepJson(nested(10_001))).toThrow("invalid character '[' exceeded max depth");
  });
});

describe('JSON text', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as JsonValue; // JSON.parse returns JSON
        expect(JSON.parse(encodeAny(plain))).toEqual(plain);
        expect(JSON.parse(encodeRaw(plain))).toEqual(plain);
        expect(indentJson(Buffer.from(JSON.stringify(plain))).toString()).toBe(JSON.stringify(plain, null, 2));
      }),
    );
  });

  it('has sorted keys and escapes like Go', () => {
    const value: JsonValue = {
      b: '<&>\u2028\u2029"\\\n\b\u0001\u007f',
      a: [-0, 1e21, 1e-7, 12345678901234567890n],
      '\u{1f600}': 1,
      '\uffee': 2,
      10: 1,
      9: 1,
    };
    expect(encodeAny(value)).toBe(
      '{"10":1,"9":1,"a":[-0,1e+21,1e-7,12345678901234567890],"b":"\\u003c\\u0026\\u003e\\u2028\\u2029\\"\\\\\\n\\b\\u0001\u007f","\uffee":2,"\u{1f600}":1}',
    );
    expect(encodeRaw({ b: 1, a: { d: 1, c: 2 } })).toBe('{"b":1,"a":{"d":1,"c":2}}');
  });
});
