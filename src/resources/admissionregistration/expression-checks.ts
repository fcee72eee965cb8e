import { type FieldError, invalidField } from '../../api/errors/field-error.ts';
import { type CompiledExpression, compileExpression, ExpressionError } from '../../cel/compile-expression.ts';
import { admissionEnvironment, type AdmissionVariables } from '../../cel/environments/admission.ts';
import { newExpressionEnvironment, storedExpressionEnvironment } from '../../cel/environments/kubernetes.ts';
import { jsonPatchType, mutationEnvironment, objectType } from '../../cel/environments/mutation.ts';
import { variableType, withVariables } from '../../cel/environments/variables.ts';
import { type CelType, listType, types } from '../../cel/types/cel-type.ts';

export { prepareExpressions } from '../../cel/environments/kubernetes.ts';

/** What an expression is for. */
export interface ExpressionUse {
  readonly expected: readonly CelType[];
  readonly variables?: AdmissionVariables;
  /** Types of the variables of the policy so far; undefined for a policy without variables. */
  readonly named?: ReadonlyMap<string, CelType> | undefined;
  /** Already in the stored object: it may use features unknown to older servers. */
  readonly isStored: boolean;
  /** What errors show, if it is not the expression. */
  readonly shown?: string;
  /** It may construct objects and patches. */
  readonly isMutation?: boolean;
}

interface MutationUse extends Omit<ExpressionUse, 'expected' | 'isMutation'> {
  readonly patchType: keyof typeof mutationTypes;
}

const mutationTypes = { ApplyConfiguration: [objectType], JSONPatch: [listType(jsonPatchType)] } as const;

/** A named expression of a policy. */
export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
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

  /** The error of a message expression that does not compile. */
  message(path: string, expression: string, use: Omit<ExpressionUse, 'expected'>): Checking {
    return this.expression(path, expression, { ...use, expected: [types.string] });
  }

  /** The error of the value of an audit annotation that does not compile. */
  annotation(path: string, expression: string, use: Omit<ExpressionUse, 'expected'>): Checking {
    return this.expression(path, expression, { ...use, expected: [types.string, types.null] });
  }

  /** The error of a mutation that does not compile. */
  mutation(path: string, expression: string, { patchType, ...use }: MutationUse): Checking {
    return this.expression(path, expression, { ...use, expected: mutationTypes[patchType], isMutation: true });
  }

  /** The error of a variable that does not compile; adds its type to those that later expressions see. */
  *variable(
    path: string,
    { name, expression }: NamedExpression,
    use: Pick<ExpressionUse, 'variables' | 'isStored'> & { readonly named: Map<string, CelType> },
  ): Checking {
    const compiled = yield* this.#compile(path, expression, use);
    use.named.set(name, compiled === undefined ? types.dyn : variableType(compiled.expression.type));
  }

  *expression(path: string, text: string, use: ExpressionUse): Checking {
    yield* this.#compile(path, text, use);
  }

  *#compile(
    path: string,
    text: string,
    {
      expected,
      variables,
      named,
      isStored,
      isMutation = false,
      shown = text,
    }: Omit<ExpressionUse, 'expected'> & Expected,
  ): Checking<CompiledExpression | undefined> {
    const library = isStored ? storedExpressionEnvironment() : newExpressionEnvironment(this.#minor);
    const plain = admissionEnvironment(library, variables);
    const base = isMutation ? mutationEnvironment(plain) : plain;
    try {
      return compileExpression(named === undefined ? base : withVariables(base, named), text, expected);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      yield error.isInternal
        ? { type: 'InternalError', field: path, detail: error.message }
        : invalidField(path, shown, error.message);
      return undefined;
    }
  }
}

type Expected = Partial<Pick<ExpressionUse, 'expected'>>;
type Checking<Result = void> = Generator<FieldError, Result>;
