import { expect, it } from 'vitest';
import { canonicalBase64 } from './base64.ts';

/** Long texts are not matched by a pattern; of still longer ones, what follows is at the end of a part. */
const long = ['A'.repeat(8_192), 'A'.repeat(64 * 1024 - 4)];

it.each([0, 3_000, 3_069, 3_072, 3_073, 9_001, 49_152, 147_457])(
  'the canonical text of %i bytes stays as it is',
  (length) => {
    const text = Buffer.alloc(length, 'a?>').toString('base64');
    expect(canonicalBase64(text)).toBe(text);
  },
);

it.each(['', ...long])('what is not canonical becomes so', (before) => {
  expect(canonicalBase64(`${before}QR==`)).toBe(`${before}QQ==`);
  expect(canonicalBase64(`${before}QUF=`)).toBe(`${before}QUE=`);
  expect(canonicalBase64(`${before}QQ\n==`)).toBe(`${before}QQ==`);
});

it.each(['', ...long])('what encodes nothing is refused', (before) => {
  const refusal = (offset: number): string => `illegal base64 data at input byte ${before.length + offset}`;
  expect(() => canonicalBase64(`${before}-_-_`)).toThrow(refusal(0));
  expect(() => canonicalBase64(`${before}QQ==QQ==`)).toThrow(refusal(4));
  expect(() => canonicalBase64(`${before}QQQ`)).toThrow(refusal(0));
});
