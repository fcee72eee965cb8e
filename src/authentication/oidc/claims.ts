import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { getOwn } from '../../api/json/json.ts';

/** A claim of the wrong type; the message is Go's. */
export class ClaimError extends Error {
  override readonly name = 'ClaimError';
  readonly code = 'CLAIM';
}

/** Null counts as the zero value. Throws a ClaimError. */
export function textClaim(claims: JsonObject, name: string): string {
  const value = present(claims, name) ?? '';
  if (typeof value === 'string') return value;
  throw mismatch(value, 'string');
}

export function booleanClaim(claims: JsonObject, name: string): boolean {
  const value = present(claims, name) ?? false;
  if (typeof value === 'boolean') return value;
  throw mismatch(value, 'bool');
}

/** A list of strings, or a single string. */
export function textsClaim(claims: JsonObject, name: string): readonly string[] {
  const value = present(claims, name) ?? [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((each) => each === null || typeof each === 'string')) {
    return value.map((each) => each ?? '');
  }
  throw mismatch(value, 'string');
}

function present(claims: JsonObject, name: string): JsonValue {
  const value = getOwn(claims, name);
  if (value === undefined) throw new ClaimError('claim not present');
  return value;
}

function mismatch(value: JsonValue, goType: string): ClaimError {
  return new ClaimError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`);
}

/** Type names of Go's decoder. */
function jsonKind(value: JsonValue): string {
  if (typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
}
