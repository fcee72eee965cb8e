import { isJsonObject, type JsonObject } from '../../../api/json/json.ts';
import { formatQuantity, parseQuantity, roundUpQuantity } from '../../../api/values/quantity.ts';
import type { DefaulterRow } from '../defaults/fill.ts';

/** Rounds quantities in the resource lists of these fields up to thousandths. */
export function roundsUp(...fields: readonly string[]): DefaulterRow {
  return (value) => {
    for (const field of fields) {
      const list = value[field];
      if (isJsonObject(list)) roundUpList(list);
    }
  };
}

function roundUpList(list: JsonObject): void {
  for (const name of Object.keys(list)) {
    const amount = list[name];
    // Only these suffixes can be finer.
    if (typeof amount === 'string' && /[nu]$|[eE]-/.test(amount))
      list[name] = formatQuantity(roundUpQuantity(parseQuantity(amount), -3));
  }
}
