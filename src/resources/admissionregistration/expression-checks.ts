import { type FieldError, invalidField } from '../../api/field-error.ts';
import { compilingExpression, ExpressionError } from '../../cel/compile-expression.ts';
import { admissionEnvironment, type AdmissionVariables } from '../../cel/environments/admission.ts';
import { newExpressionEnvironment, storedExpressionEnvironment } from '../../cel/environments/kubernetes.ts';
import { type CelType, types } from '../../cel/types/cel-type.ts';

export { prepareExpressions } from '../../cel/environments/kubernetes.ts';

/** What an expression is for. */
export interface ExpressionUse {
  readonly expected: readonly CelType[];
  readonly variables?: AdmissionVariables;
  /** The stored object has it already: it may use what older servers do not know. */
  readonly isStored: boolean;
}

/** Compiles the expressions of one object that is being written. */
export class ExpressionChecks {
  readonly #minor: number;

  /** `minor`: the release that must still understand new expressions. */
  constructor(minor: number) {
    this.#minor = minor;
  }

  /** The error of a match condition that does not compile. */
  condition(path: string, expression: string, use: Omit<ExpressionUse, 'expected'>): Checking {
    return this.expression(path, expression, { ...use, expected: [types.bool] });
  }

  *expression(path: string, text: string, { expected, variables, isStored }: ExpressionUse): Checking {
    const base = isStored ? storedExpressionEnvironment() : newExpressionEnvironment(this.#minor);
    try {
      yield* compilingExpression(admissionEnvironment(base, variables), text, expected);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      yield error.isInternal
        ? { type: 'InternalError', field: path, detail: error.message }
        : invalidField(path, text, error.message);
    }
  }
}

type Checking = Generator<FieldError | undefined, void>;
