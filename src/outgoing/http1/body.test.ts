import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { bodyReader } from './body.ts';

/** Reads a chunked body that arrives in pieces of these lengths. */
function readInPieces(text: string, pieceBytes: readonly number[]): { readonly data: string; readonly rest: string } {
  const reader = bodyReader('chunked');
  const bytes = Buffer.from(text, 'latin1');
  let [data, at] = ['', 0];
  for (const length of [...pieceBytes, bytes.length]) {
    if (at >= bytes.length) break;
    data += reader.read(Buffer.from(bytes.subarray(at, at + length))).toString('latin1');
    at += length;
  }
  expect(reader.isComplete).toBe(true);
  expect(reader.isExceeded).toBe(false);
  return { data, rest: reader.trailers.join() };
}

describe('chunked bodies', () => {
  test('are the same, however they arrive', () => {
    const line = fc.constantFrom('', ' ', ';a', ';a=b c');
    const end = fc.constantFrom('\r\n');
    const pieces = fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 40 }), line, fc.boolean(), end));
    fc.assert(
      fc.property(pieces, fc.array(fc.integer({ min: 1, max: 9 })), (parts, lengths) => {
        const ascii = parts.map(([data, ...others]) => [data.replaceAll(/[^ -~]/g, 'x'), ...others] as const);
        const sizes = ascii.map(([data, extension, isUpper, ending]) => {
          const digits = data.length.toString(16);
          return `${isUpper ? digits.toUpperCase() : `0${digits}`}${extension}${ending}${data}\r\n`;
        });
        const { data, rest } = readInPieces(`${sizes.join('')}0\r\nX-A: b\r\n\r\n`, lengths);
        expect(data).toBe(ascii.map(([text]) => text).join(''));
        expect(rest).toBe('X-A,b');
      }),
    );
  });

  test.each([
    ['\r\n', 'empty hex number for chunk length'],
    ['g\r\n', 'invalid byte in chunk length'],
    ['1g\r\na', 'invalid byte in chunk length'],
    ['1\r\nab\r\n', 'malformed chunked encoding'],
    ['fffffffffffffffff\r\n', 'http chunk length too large'],
    [`1;${'a'.repeat(5000)}`, 'header line too long'],
    ['1;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\na\r\n'.repeat(2000), 'too much non-data'],
  ])('%j is refused', (text, message) => {
    expect(() => bodyReader('chunked').read(Buffer.from(text))).toThrow(message);
  });

  test('of single bytes cost little', () => {
    const bytes = Buffer.from('1\r\na\r\n'.repeat(100_000));
    const reader = bodyReader('chunked');
    expect(cpuTimeRatio(() => expect(reader.read(bytes).length).toBe(100_000), 100)).toBeLessThan(1);
  });
});
