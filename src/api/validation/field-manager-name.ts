import { type FieldError, invalidField, tooLongField } from '../errors/field-error.ts';

const maxBytes = 128;

/** Validates the name of a field manager. */
export function fieldManagerErrors(name: string, field: string): FieldError[] {
  if (/^[\x20-\x7e]{0,128}$/.test(name)) return [];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(name) > maxBytes) errors.push(tooLongField(field, maxBytes));
  let position = 0;
  for (const char of name) {
    if (/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidField(field, name, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(char);
  }
  return errors;
}
