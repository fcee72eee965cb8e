import type { JsonValue } from '../api/json/json.ts';
import { equalValues } from '../fieldmanagement/values.ts';

/** Whether parts of decoded objects, which are JSON-shaped, are equal. An absent list equals an empty one. */
export function isSame(value: unknown, other: unknown): boolean {
  const [a, b] = [value, other].map((each) => (Array.isArray(each) && each.length === 0 ? undefined : each));
  if (a === undefined || b === undefined) return a === b;
  return equalValues(a as JsonValue, b as JsonValue);
}
