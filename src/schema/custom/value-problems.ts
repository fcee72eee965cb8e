import { encodeRaw, inKeyOrder } from '../../api/json/json-text.ts';
import {
  childPath,
  type FieldError,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
} from '../../api/errors/field-error.ts';
import { maxFound } from '../../api/errors/findings.ts';
import type { Int64 } from '../../api/values/int64.ts';
import type { JsonValue } from '../../api/json/json.ts';

/** An error in a value. `path` is relative to the validated value; empty for the value itself. */
export interface ValueProblem {
  readonly kind: 'required' | 'enum' | 'too-long' | 'too-many' | 'type' | 'invalid' | 'general';
  readonly path: string;
  /** Problems with the same message are merged. */
  readonly message: string;
  /** The value shown in the error. */
  readonly value?: JsonValue | undefined;
  /** Allowed values of an enum. */
  readonly allowed?: readonly JsonValue[];
  /** The actual number and the maximum. */
  readonly actual?: number;
  readonly max?: Int64;
}

/**
 * The result of validation against a schema. `matches` counts the checks that were made: of several failing
 * alternatives the one with the most matches is reported.
 */
export class Verdict {
  /** By message: each is reported once. Undefined while empty, as for most values. */
  #problems: Map<string, ValueProblem> | undefined;
  matches = 0;

  get problems(): readonly ValueProblem[] {
    return this.#problems === undefined ? [] : [...this.#problems.values()];
  }

  get valid(): boolean {
    return this.#problems === undefined;
  }

  /** Whether the value matches, without its problems. */
  forgiven(): Verdict {
    const verdict = new Verdict();
    verdict.matches = this.matches;
    return verdict;
  }

  add(...problems: readonly ValueProblem[]): this {
    for (const problem of problems) this.#note(problem);
    return this;
  }

  merge(...others: readonly Verdict[]): this {
    for (const other of others) {
      for (const problem of other.#problems?.values() ?? []) this.#note(problem);
      this.matches += other.matches;
    }
    return this;
  }

  /** Keeps no more than can be reported: each level of an object would iterate over all of them. */
  #note(problem: ValueProblem): void {
    this.#problems ??= new Map();
    if (this.#problems.size <= maxFound && !this.#problems.has(problem.message)) {
      this.#problems.set(problem.message, problem);
    }
  }
}

/** Converts a problem to a field error. */
export function problemError(problem: ValueProblem, root: string): FieldError {
  const { kind, message, allowed = [], actual = 0, max = 0 } = problem;
  const value = inKeyOrder(problem.value ?? '');
  const below = problem.path.replace(/^\./, '');
  const path = below === '' ? root : childPath(root, below);
  switch (kind) {
    case 'required':
      return requiredField(path);
    case 'enum': {
      const texts = allowed.map((item) => (typeof item === 'string' ? item : encodeRaw(item)));
      return notSupportedField(path, inKeyOrder(problem.value ?? null), texts);
    }
    case 'too-long':
      return tooLongField(path, max);
    case 'too-many':
      return tooManyField(path, actual, max);
    case 'type':
      return typeInvalidField(path, value, message);
    case 'invalid':
      return invalidField(path, value, message);
    case 'general':
      return invalidField(root, '', message);
  }
}
