import type { JsonValue } from '../api/json.ts';
import { equalValues } from '../fieldmanagement/values.ts';

/** Whether parts of objects are equal. No list is the same as an empty one; what a schema has decoded is JSON-shaped. */
export function isSame(value: unknown, other: unknown): boolean {
  const [a, b] = [value, other].map((each) => (Array.isArray(each) && each.length === 0 ? undefined : each));
  if (a === undefined || b === undefined) return a === b;
  return equalValues(a as JsonValue, b as JsonValue);
}
