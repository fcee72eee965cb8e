import type { Environment } from './environments/environment.ts';
import type { Expression } from './environments/expression.ts';
import { CelProgramError } from './program/frame.ts';
import type { Program } from './program/program.ts';
import { CelCompileError } from './source.ts';
import { type CelType, isSameType, types, declaredText } from './types/cel-type.ts';

/** An expression that does not compile, or not to an expected type; the text is the reference's. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code = 'EXPRESSION';
  /** Its author could not have known: the expression is correct, but no program can be made of it. */
  readonly isInternal: boolean;

  constructor(
    message: string,
    { isInternal = false, ...options }: ErrorOptions & { readonly isInternal?: boolean } = {},
  ) {
    super(message, options);
    this.isInternal = isInternal;
  }
}

export interface CompiledExpression {
  readonly text: string;
  readonly expression: Expression;
  readonly program: Program;
}

/** Expected types; or what is wrong with a type, if anything is. */
export type ExpectedType = readonly CelType[] | ((type: CelType) => ExpressionError | undefined);

/** Compiles an expression of one of the expected types (absent: any). Throws an ExpressionError. */
export function compileExpression(
  environment: Environment,
  text: string,
  expected: ExpectedType = () => undefined,
): CompiledExpression {
  const refusalOf = typeof expected === 'function' ? expected : oneOf(expected);
  try {
    const expression = environment.check(text);
    const refusal = refusalOf(expression.type);
    if (refusal !== undefined) throw refusal;
    return { text, expression, program: expression.program() };
  } catch (error) {
    if (error instanceof CelCompileError) {
      throw new ExpressionError(`compilation failed: ${error.message}`, { cause: error });
    }
    if (!(error instanceof CelProgramError)) throw error;
    throw new ExpressionError(`program instantiation failed: ${error.message}`, { cause: error, isInternal: true });
  }
}

function oneOf(expected: readonly CelType[]): (type: CelType) => ExpressionError | undefined {
  return (type) =>
    expected.some((each) => isSameType(each, type)) ? undefined : new ExpressionError(mismatch(expected, type));
}

function mismatch(expected: readonly CelType[], actual: CelType): string {
  const [first = types.dyn, ...others] = expected;
  if (others.length === 0) return `must evaluate to ${declaredText(first)} but got ${declaredText(actual)}`;
  return `must evaluate to one of [${expected.map(declaredText).join(' ')}] but got ${declaredText(actual)}`;
}

const conditionTypes = [types.bool];

/** Compiles an expression of type bool. Throws an ExpressionError. */
export function compileCondition(environment: Environment, text: string): CompiledExpression {
  return compileExpression(environment, text, conditionTypes);
}
