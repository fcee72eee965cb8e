import { goPrint, goSyntax, goTypeOf } from '../api/go-print.ts';
import type { JsonValue } from '../api/json.ts';
import { formatPathElement, type PathElement } from './path-element.ts';
import type { ScalarType } from './merge-type.ts';

/** What is wrong with one value; `path` is relative to where it was found and grows outwards. */
export interface ValueError {
  readonly path: string;
  readonly message: string;
  /** Errors of a part that is visited later, which stand in the place of this one. */
  readonly within?: readonly ValueError[];
}

/** One or more values do not fit their types. */
export class TypedValueError extends Error {
  readonly code = 'TYPED_VALUE';
  readonly errors: readonly ValueError[];

  constructor(errors: readonly ValueError[]) {
    const texts = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'));
    this.errors = errors;
  }
}

export const noErrors: readonly ValueError[] = [];

/** There may be more than a call can have arguments. */
export function addErrors(errors: ValueError[], more: readonly ValueError[]): void {
  for (const error of more) errors.push(error);
}

export function valueError(message: string): readonly ValueError[] {
  return [{ path: '', message }];
}

/** The errors as they are seen from one step further out. */
export function below(element: PathElement, errors: readonly ValueError[]): readonly ValueError[] {
  if (errors.length === 0) return errors;
  const prefix = formatPathElement(element);
  return errors.map((error) => ({ ...error, path: prefix + error.path }));
}

/** Holds the place of errors that are found later. */
export function laterErrors(errors: readonly ValueError[]): readonly ValueError[] {
  return [{ path: '', message: '', within: errors }];
}

/** Throws a TypedValueError unless there are no errors; all parts have been visited. */
export function throwErrors(errors: readonly ValueError[]): void {
  const all = errors.flatMap(errorsWithin);
  if (all.length > 0) throw new TypedValueError(all);
}

function errorsWithin(error: ValueError): readonly ValueError[] {
  const { path, within } = error;
  if (within === undefined) return [error];
  return within.flatMap(errorsWithin).map((inner) => ({ ...inner, path: path + inner.path }));
}

/** What keeps a value from being a scalar of the type; null and nothing are scalars of any. `prefix` begins the message. */
export function scalarErrors(type: ScalarType, value: JsonValue | undefined, prefix = ''): readonly ValueError[] {
  if (value === undefined || value === null) return noErrors;
  const shown = typeof value;
  const isNumber = shown === 'number' || shown === 'bigint';
  switch (type) {
    case 'numeric':
      return isNumber ? noErrors : valueError(`${prefix}expected numeric (int or float), got ${goTypeOf(value)}`);
    case 'string':
      return shown === 'string'
        ? noErrors
        : valueError(`${prefix}expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case 'boolean':
      return shown === 'boolean' ? noErrors : valueError(`${prefix}expected boolean, got ${pointerText(value)}`);
    case 'untyped':
      return shown !== 'object' ? noErrors : valueError(`${prefix}expected any scalar, got ${pointerText(value)}`);
  }
}

/** As Go prints a pointer to a struct that holds nothing but the value. */
export function pointerText(value: JsonValue): string {
  return `&{${goPrint(value)}}`;
}
