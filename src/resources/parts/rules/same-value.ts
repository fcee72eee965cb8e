import { bottomUp } from '../../../api/collections/bottom-up.ts';
import { isZeroStruct } from '../../../api/json/written-notes.ts';
import { compareQuantities, parseQuantity, QuantityError } from '../../../api/values/quantity.ts';

/**
 * Equality of decoded values for update validation: absent, null, empty lists and empty maps are equal;
 * quantities compare by value.
 */
export const sameValue = bottomUp((a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (isAbsent(a) || isAbsent(b)) return meansAbsent(a) && meansAbsent(b);
  if (typeof a === 'string' || typeof b === 'string') return false;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameItems(a, b);
  // Neither absent nor a list: two objects.
  return sameFields(a as object, b as object);
}, true);

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function meansAbsent(value: unknown): boolean {
  return isAbsent(value) || (typeof value === 'object' && value !== null && isZeroStruct(value));
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
}

const quantityFields: ReadonlySet<string> = new Set([
  'limits',
  'requests',
  'capacity',
  'overhead',
  'hard',
  'sizeLimit',
]);

function sameFields(left: object, right: object): boolean {
  // Both are plain data, without inherited keys.
  const [a, b] = [left as { [key: string]: unknown }, right as { [key: string]: unknown }];
  for (const key in a) {
    const [value, other] = [a[key], Object.hasOwn(b, key) ? b[key] : undefined];
    if (value === other) continue;
    const same = quantityFields.has(key) ? sameQuantities(value, other) : sameValue(value, other);
    if (!same) return false;
  }
  for (const key in b) if (!meansAbsent(b[key]) && !Object.hasOwn(a, key)) return false;
  return true;
}

function sameQuantities(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return sameQuantity(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return sameValue(a, b);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    // Both are maps of quantities.
    const left = (a as { [key: string]: unknown })[key];
    const right = (b as { [key: string]: unknown })[key];
    return sameQuantities(left, right);
  });
}

function sameQuantity(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return compareQuantities(parseQuantity(a), parseQuantity(b)) === 0;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}
