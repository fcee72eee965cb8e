import { goPrint, goSyntax, goTypeOf } from '../api/json/go-print.ts';
import type { JsonValue } from '../api/json/json.ts';
import { formatPathElement, type PathElement } from './path-element.ts';
import type { ScalarType } from './merge-type.ts';

/** An error in one value. `path` is relative to where it was found and is extended outward. */
export interface ValueError {
  readonly path: string;
  readonly message: string;
}

/** Thrown when values do not fit their types. */
export class TypedValueError extends Error {
  readonly code: string = 'TYPED_VALUE';
  readonly errors: readonly ValueError[];

  constructor(errors: readonly ValueError[]) {
    const texts = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'));
    this.errors = errors;
  }
}

export const noErrors: readonly ValueError[] = [];

/** A loop: there may be more errors than a call can have arguments. */
export function addErrors(errors: ValueError[], more: readonly ValueError[]): void {
  for (const error of more) errors.push(error);
}

export function valueError(message: string): readonly ValueError[] {
  return [{ path: '', message }];
}

/** Prefixes the errors' paths with an element. */
export function below(element: PathElement, errors: readonly ValueError[]): readonly ValueError[] {
  if (errors.length === 0) return errors;
  const prefix = formatPathElement(element);
  return errors.map((error) => ({ ...error, path: prefix + error.path }));
}

/** Throws a TypedValueError if there are errors. */
export function throwErrors(errors: readonly ValueError[]): void {
  if (errors.length > 0) throw new TypedValueError(errors);
}

/** Errors of a value as a scalar of the type; null and absent values fit any. `prefix` starts the message. */
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

/** Go's format of a pointer to a struct with that one value. */
export function pointerText(value: JsonValue): string {
  return `&{${goPrint(value)}}`;
}
