import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityValue,
  roundUpQuantity,
  subtractQuantities,
} from './quantity.ts';

const canonicalTexts: readonly [string, string][] = [
  ['0', '0'],
  ['0m', '0'],
  ['-', '0'],
  ['1000m', '1'],
  ['100m', '100m'],
  ['0.1', '100m'],
  ['.5', '500m'],
  ['1.', '1.'],
  ['1.5Gi', '1536Mi'],
  ['1024Mi', '1Gi'],
  ['512Ki', '512Ki'],
  ['0.5Ki', '512'],
  ['62.5Ki', '64000'],
  ['64000', '64k'],
  ['0.1Ki', '102400m'],
  ['1e3', '1e3'],
  ['1E3', '1E3'],
  ['1000e3', '1e6'],
  ['12e4', '120e3'],
  ['007', '007'],
  ['+5', '+5'],
  ['-1.5', '-1500m'],
  ['1n', '1n'],
  ['0.1n', '1n'],
  ['-0.1n', '-1n'],
  ['1000E', '1'],
  ['123456789012345678901', '123456789012345678901'],
  ['100Ei', '9223372036854775807'],
  ['10000k', '10M'],
];

const errors: readonly [string, string][] = [
  ['', 'quantities must match the regular expression'],
  ['x', 'quantities must match the regular expression'],
  ['1.2.3', 'quantities must match the regular expression'],
  ['1KI', 'quantities must match the regular expression'],
  ['1e', "unable to parse quantity's suffix"],
  ['1ee3', "unable to parse quantity's suffix"],
  ['1e99999999999999999999', "unable to parse quantity's suffix"],
];

const suffixes = ['', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'e-3', 'E2'];
const quantities = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.bigInt({ min: 0n, max: 10n ** 12n }),
    fc.option(fc.nat(9999)),
    fc.constantFrom(...suffixes),
  )
  .map(([sign, whole, fraction, suffix]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${suffix}`);

describe('quantities', () => {
  it.each(canonicalTexts)('%s is written %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
    expect(formatQuantity(parseQuantity(text))).toBe(canonical);
  });

  it.each(errors)('%j is refused', (text, message) => {
    expect(() => canonicalQuantity(text)).toThrow(message);
  });

  it('canonicalization is idempotent and keeps the value', () => {
    fc.assert(
      fc.property(quantities, (text) => {
        // Beyond E there is no suffix and the reference prints none: such strings change their value.
        const magnitude = parseQuantity(text.replace(/^[+-]/, ''));
        fc.pre(compareQuantities(magnitude, parseQuantity('1e21')) < 0);
        const canonical = canonicalQuantity(text);
        // Values that no binary suffix divides are written without one, and that text gets a decimal suffix if it ends
        // in thousands.
        const again = canonicalQuantity(canonical);
        if (!text.endsWith('i') || !canonical.endsWith('000')) expect(again).toBe(canonical);
        expect(canonicalQuantity(again)).toBe(again);
        expect(compareQuantities(parseQuantity(canonical), parseQuantity(text))).toBe(0);
      }),
    );
  });

  it('comparison agrees with subtraction, and addition reverses it', () => {
    fc.assert(
      fc.property(quantities, quantities, (x, y) => {
        const a = parseQuantity(x);
        const b = parseQuantity(y);
        const difference = subtractQuantities(a, b);
        const sign = difference.unscaled === 0n ? 0 : difference.unscaled < 0n ? -1 : 1;
        expect(Math.sign(compareQuantities(a, b))).toBe(sign);
        expect(compareQuantities(addQuantities(difference, b), a)).toBe(0);
      }),
    );
  });

  it('compares exactly what a double cannot tell apart', () => {
    const [less, more] = [parseQuantity('9007199254740992000m'), parseQuantity('9007199254740993')];
    expect(compareQuantities(less, more)).toBe(-1);
    expect(compareQuantities(more, less)).toBe(1);
    expect(compareQuantities(parseQuantity('-9007199254740993'), parseQuantity('-9007199254740992000m'))).toBe(-1);
    expect(compareQuantities(parseQuantity('1e2000000000'), parseQuantity('2e2000000000'))).toBe(-1);
    expect(compareQuantities(parseQuantity('1e400'), parseQuantity('10e399'))).toBe(0);
    expect(compareQuantities(parseQuantity('1e307'), parseQuantity(`1${'0'.repeat(300)}.000000001`))).toBe(1);
  });

  it('rounds away from zero', () => {
    expect(quantityValue(parseQuantity('1m'))).toBe(1n);
    expect(quantityValue(parseQuantity('-1m'))).toBe(-1n);
    expect(quantityValue(parseQuantity('2Ki'))).toBe(2048n);
    expect(formatQuantity(roundUpQuantity(parseQuantity('1234567n'), -3))).toBe('2m');
  });

  it('does not expand absurd exponents', () => {
    const huge = parseQuantity('1e2000000000');
    const tiny = parseQuantity('1e-2000000000');
    expect(formatQuantity(tiny)).toBe('1e-9');
    expect(quantityValue(huge)).toBe(2n ** 63n - 1n);
    expect(compareQuantities(huge, parseQuantity('1'))).toBe(1);
    expect(formatQuantity(addQuantities(huge, parseQuantity('1')))).toBe('100e1999999998');
  });
});
