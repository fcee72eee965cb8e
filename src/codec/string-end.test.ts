import fc from 'fast-check';
import { expect, it } from 'vitest';
import { skipString } from './string-end.ts';

const parts = fc.array(fc.constantFrom('"', '\\', '\\"', 'é', 'a\\\\', 'x'.repeat(100)), { maxLength: 8 });

it('the end of a string is found', () => {
  fc.assert(
    fc.property(parts, parts, (inside, after) => {
      const json = JSON.stringify(inside.join(''));
      const bytes = Buffer.from(`[${json}${after.join('')}`);
      expect(skipString(bytes, 1)).toBe(1 + Buffer.byteLength(json));
    }),
  );
});

const long = `"${'x'.repeat(50)}`;

it.each(['"', '"a', '"a\\', '"a\\"', long, `${long}\\`, `${long}\\"`, `"${'x'.repeat(23)}\\`])(
  'a string without an end, %s, reaches the end of the text',
  (text) => {
    expect(skipString(Buffer.from(text), 0)).toBeGreaterThanOrEqual(text.length);
  },
);
