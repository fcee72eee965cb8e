import { encodeRaw } from '../../api/json-text.ts';
import {
  childPath,
  type FieldError,
  invalidField,
  invalidFieldWithoutValue,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
} from '../../api/field-error.ts';
import { maxFound } from '../../api/findings.ts';
import type { Int64 } from '../../api/int64.ts';
import type { JsonValue } from '../../api/json.ts';

/** One thing that is wrong with a value. `path` is where, from the value that is checked; empty for itself. */
export interface ValueProblem {
  readonly kind: 'required' | 'enum' | 'too-long' | 'too-many' | 'type' | 'invalid' | 'general';
  readonly path: string;
  /** Problems with the same message are one. */
  readonly message: string;
  /** What is shown. */
  readonly value?: JsonValue | undefined;
  /** How it is shown, where that is not as it is. */
  readonly shown?: string;
  /** Allowed values of an enum. */
  readonly allowed?: readonly JsonValue[];
  /** What there is, and what there may be at most. */
  readonly actual?: number;
  readonly max?: Int64;
}

/**
 * What a schema says of a value. `matches` counts the checks that were made: of several alternatives that fail, the one with the
 * most is told.
 */
export class Verdict {
  /** By their messages: each is told once. Undefined while there are none, as of most values. */
  #problems: Map<string, ValueProblem> | undefined;
  matches = 0;

  get problems(): readonly ValueProblem[] {
    return this.#problems === undefined ? [] : [...this.#problems.values()];
  }

  get valid(): boolean {
    return this.#problems === undefined;
  }

  /** Nothing is wrong any more with what was checked. */
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

  /** More than can be told are not kept: each level of an object would go through all of them. */
  #note(problem: ValueProblem): void {
    this.#problems ??= new Map();
    if (this.#problems.size <= maxFound && !this.#problems.has(problem.message)) {
      this.#problems.set(problem.message, problem);
    }
  }
}

/** A problem as an error of a field. */
export function problemError(problem: ValueProblem, root: string): FieldError {
  const { kind, message, value = '', allowed = [], actual = 0, max = 0 } = problem;
  const below = problem.path.replace(/^\./, '');
  const path = below === '' ? root : childPath(root, below);
  switch (kind) {
    case 'required':
      return requiredField(path);
    case 'enum': {
      const texts = allowed.map((item) => (typeof item === 'string' ? item : encodeRaw(item)));
      return notSupportedField(path, problem.value ?? null, texts);
    }
    case 'too-long':
      return tooLongField(path, max);
    case 'too-many':
      return tooManyField(path, actual, max);
    case 'type':
      return typeInvalidField(path, value, message);
    case 'invalid':
      return problem.shown === undefined
        ? invalidField(path, value, message)
        : invalidFieldWithoutValue(path, `${problem.shown}: ${message}`);
    case 'general':
      return invalidField(root, '', message);
  }
}
