import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endOfString } from './string-end.ts';

const parts = fc.array(
  fc.oneof(
    fc.constantFrom('"', '\\', '\\"', 'é', 'a\\\\'),
    fc.integer({ min: 1, max: 20_000 }).map((length) => 'x'.repeat(length)),
  ),
  { maxLength: 8 },
);

it('the end of a string is found, however long it is', () => {
  fc.assert(
    fc.property(parts, parts, (inside, after) => {
      const json = JSON.stringify(inside.join(''));
      const bytes = Buffer.from(`[${json}${after.join('')}`);
      expect(endOfString(bytes, 1)).toBe(Buffer.byteLength(json));
    }),
  );
});

it.each(['"', '"a', `"${'a'.repeat(10_000)}`, `"${'a'.repeat(10_000)}\\`, `"${'a'.repeat(8191)}\\"`])(
  'a string without an end reaches the end of the text',
  (text) => {
    expect(endOfString(Buffer.from(text), 0)).toBeGreaterThanOrEqual(text.length);
  },
);
