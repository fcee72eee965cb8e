import { goQuote } from '../../../api/go-quote.ts';
import { compareQuantities, formatQuantity, parseQuantity, roundUpQuantity } from '../../../api/quantity.ts';

/** Warnings of amounts of bytes that are no whole number. */
export function fractionalByteWarnings(
  path: string,
  amounts: { readonly [resource: string]: string } = {},
  resources: readonly string[] = ['memory', 'ephemeral-storage'],
): string[] {
  return resources.flatMap((resource) => {
    const text = amounts[resource];
    if (text === undefined) return [];
    const amount = parseQuantity(text);
    // A thousandth is the finest amount that is looked at.
    if (compareQuantities(roundUpQuantity(amount, -3), roundUpQuantity(amount, 0)) === 0) return [];
    return [
      `${path}[${resource}]: fractional byte value ${goQuote(formatQuantity(amount))} is invalid, must be an integer`,
    ];
  });
}
