import type { FieldError } from '../../api/errors/field-error.ts';
import { maxFound } from '../../api/errors/findings.ts';
import type { Errors } from '../parts/rules/rules.ts';

// The reference validates devices twice: by hand-written and by declarative rules. Errors of declarative rules come
// last.

interface LateError extends FieldError {
  readonly isLate: true;
}

/** Marks errors of declarative rules. */
export function* late(errors: Errors): Errors {
  for (const error of errors) yield { ...error, isLate: true } as LateError;
}

function isLate(error: FieldError): error is LateError {
  return 'isLate' in error;
}

/** Errors of declarative rules only. */
export function* onlyLate(errors: Errors): Errors {
  for (const error of errors) if (isLate(error)) yield error;
}

/** Moves marked errors to the end; they name fields as the version of the request does. */
export function* ordered(errors: Errors, placed: (field: string) => string = (field) => field): Errors {
  const last: FieldError[] = [];
  for (const error of errors) {
    if (!isLate(error)) yield error;
    else if (last.length <= maxFound) last.push(withoutMark(error, placed));
  }
  yield* last;
}

function withoutMark({ type, field, value, detail }: LateError, placed: (field: string) => string): FieldError {
  return { type, field: placed(field), value, detail };
}

/** Where the version of a request, whose rules are the declarative ones, has the fields of a requested device. */
export function requestPlaces(version: string): (field: string) => string {
  if (version !== 'v1beta1') return (field) => field;
  return (field) => field.replace(/(\.requests\[\d+\])\.exactly\./, '$1.');
}
