import type { FieldError } from '../../api/field-error.ts';
import { maxFound } from '../../api/findings.ts';
import type { Errors } from '../parts/rules/rules.ts';

// The reference validates devices twice: by hand-written and by declarative rules. Errors of declarative rules come
// last.

interface LateError extends FieldError {
  readonly isLate: true;
}

/** Marks errors of declarative rules. */
export function* late(errors: Errors): Errors {
  for (const error of errors) yield error && ({ ...error, isLate: true } as LateError);
}

function isLate(error: FieldError): error is LateError {
  return 'isLate' in error;
}

/** Moves marked errors to the end. */
export function* ordered(errors: Errors): Errors {
  const last: FieldError[] = [];
  for (const error of errors) {
    if (error === undefined || !isLate(error)) yield error;
    else if (last.length <= maxFound) last.push(withoutMark(error));
  }
  yield* last;
}

function withoutMark({ type, field, value, detail }: LateError): FieldError {
  return { type, field, value, detail };
}
