import { isJsonObject } from '../../api/json.ts';
import { parseQuantity, formatQuantity, roundUpQuantity } from '../../api/quantity.ts';
import type { DefaulterRow } from './fill.ts';

/** Amounts finer than a thousandth are rounded up to one. */
export const roundUpToMilli: DefaulterRow = (requirements) => {
  for (const list of [requirements['limits'], requirements['requests']]) {
    if (!isJsonObject(list)) continue;
    for (const [name, amount] of Object.entries(list)) {
      // Only suffixes below milli can be finer.
      if (typeof amount === 'string' && /[nu]$/.test(amount))
        list[name] = formatQuantity(roundUpQuantity(parseQuantity(amount), -3));
    }
  }
};
