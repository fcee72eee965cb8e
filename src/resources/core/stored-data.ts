import { forbiddenField } from '../../api/errors/field-error.ts';
import { type Errors } from '../parts/rules/rules.ts';
import { sameValue } from '../parts/rules/same-value.ts';

// The data of ConfigMaps and Secrets.

export const maxDataBytes = 1024 * 1024;

export type Data = { readonly [key: string]: string };

export function sizeOfBase64(text: string): number {
  return Buffer.byteLength(text, 'base64');
}

export function totalSize(data: Data, sizeOf: (value: string) => number): number {
  let total = 0;
  // Object.values would be four times slower.
  for (const key of Object.keys(data)) {
    total += sizeOf(data[key] ?? '');
  }
  return total;
}

interface Sealable {
  immutable?: boolean;
  data?: unknown;
  binaryData?: unknown;
}

/** Data marked `immutable` cannot change. */
export function* sealed(object: Sealable, old: Sealable): Errors {
  if (old.immutable !== true) return;
  const detail = 'field is immutable when `immutable` is set';
  if (object.immutable !== true) yield forbiddenField('immutable', detail);
  for (const name of ['data', 'binaryData'] as const) {
    if (!sameValue(object[name], old[name])) yield forbiddenField(name, detail);
  }
}
