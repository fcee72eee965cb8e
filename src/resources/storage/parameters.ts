import { invalidField, tooLongField } from '../../api/errors/field-error.ts';
import type { Errors } from '../parts/rules/rules.ts';

export function* parameters(values: { readonly [key: string]: string }, path: string): Errors {
  let count = 0;
  // Counted first: making pairs of all of them may take long.
  for (const _ in values) if (++count > 512) return yield tooLongField(path, 512);
  const entries = Object.entries(values);
  for (const [key] of entries) if (key === '') yield invalidField(path, key, 'field can not be empty.');
  const size = entries.reduce((total, [key, value]) => total + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > 256 * 1024) yield tooLongField(path, 256 * 1024);
}
