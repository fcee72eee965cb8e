import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShortTexts } from './short-texts.ts';

test('every short ASCII string is decoded correctly, however many came before', () => {
  const texts = new ShortTexts();
  const ascii = fc.string({
    unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)),
    maxLength: 50,
  });
  fc.assert(
    fc.property(fc.array(ascii, { maxLength: 100 }), fc.nat(9), (wanted, offset) => {
      for (const text of [...wanted, ...wanted]) {
        const bytes = Buffer.from(`${'-'.repeat(offset)}${text}-`);
        expect(texts.find(bytes, offset, text.length)).toBe(text.length > 40 ? undefined : text);
      }
    }),
  );
});

test('other strings are left to the platform', () => {
  const bytes = Buffer.from('caf\u00e9');
  expect(new ShortTexts().find(bytes, 0, bytes.length)).toBeUndefined();
});
