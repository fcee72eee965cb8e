import fc from 'fast-check';
import { expect, it } from 'vitest';
import { finish } from '../api/turns.ts';
import { readScan } from './json-scan.ts';

const parts = fc.array(
  fc.oneof(
    fc.constantFrom('"', '\\', ':', '{', 'é', '1.5'),
    fc.integer({ min: 4_000, max: 300_000 }).map((length) => 'x'.repeat(length)),
  ),
  { maxLength: 6 },
);

it('the content of strings does not count, however long they are', () => {
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const [first, second] = [JSON.stringify(one.join('')), JSON.stringify(other.join(''))];
      const text = `{"a":${first},"b":[${second}],"c":"\\u00e9"}`;
      const scan = { colons: 3, deepest: 2, escapedKeys: false, oddValues: false };
      expect(finish(readScan(Buffer.from(text)))).toMatchObject(scan);
      const longTexts = [text.indexOf(first), text.lastIndexOf(second)].map((at) =>
        Buffer.byteLength(text.slice(0, at)),
      );
      expect(finish(readScan(Buffer.from(text), longTexts))).toMatchObject(scan);
    }),
  );
});

it('escaped surrogates are found in long strings', () => {
  const text = `["${'x'.repeat(300_000)}\\ud83d"]`;
  expect(finish(readScan(Buffer.from(text), [1])).oddValues).toBe(true);
});
