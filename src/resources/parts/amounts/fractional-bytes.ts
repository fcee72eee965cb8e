import { goQuote } from '../../../api/go/go-quote.ts';
import { compareQuantities, formatQuantity, parseQuantity, roundUpQuantity } from '../../../api/values/quantity.ts';

/** What a quantity that is not a whole number contains: a point, an exponent or one of the suffixes m, u and n. */
const fractionMarks = /[.eEmun]/;

/** Warnings about fractional byte quantities. */
export function fractionalByteWarnings(
  path: string,
  amounts: { readonly [resource: string]: string } | undefined,
  resources: readonly string[] = ['memory', 'ephemeral-storage'],
): string[] {
  const warnings: string[] = [];
  if (amounts === undefined) return warnings;
  for (const resource of resources) {
    const text = amounts[resource];
    if (text === undefined || !fractionMarks.test(text)) continue;
    const amount = parseQuantity(text);
    // The reference compares in thousandths.
    if (compareQuantities(roundUpQuantity(amount, -3), roundUpQuantity(amount, 0)) === 0) continue;
    warnings.push(
      `${path}[${resource}]: fractional byte value ${goQuote(formatQuantity(amount))} is invalid, must be an integer`,
    );
  }
  return warnings;
}
