import { type CompiledExpression, compilingExpression, ExpressionError } from '../../cel/compile-expression.ts';
import type { Environment } from '../../cel/environments/environment.ts';
import { type Bindings, type Evaluation, failureOf, type Program, type Run } from '../../cel/program/program.ts';
import { maxCallCost } from '../../cel/rules/limits.ts';
import { variablesType, variableType, withVariables } from '../../cel/environments/variables.ts';
import { type CelType, types } from '../../cel/types/cel-type.ts';
import { MapObject } from '../../cel/values/collections.ts';
import { unescapeName } from '../../cel/values/escaped-names.ts';
import { CelError, noSuchOverload, type Value } from '../../cel/values/value.ts';
import { goQuote } from '../../api/go-quote.ts';
import type { Variable } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { finish } from '../../api/turns.ts';

/** An expression, or why it does not compile: its policy decides what that means for writes. */
export type Compiled = CompiledExpression | ExpressionError;

/** The named expressions of a policy, and the environment in which further expressions may refer to them. */
export interface CompiledVariables {
  readonly byName: ReadonlyMap<string, Compiled>;
  /** With the variable `variables`. */
  in(environment: Environment): Environment;
}

/** As `compilingExpression`, with the error as a value. */
export function compilingAny(environment: Environment, text: string, expected?: readonly CelType[]): Compiled {
  try {
    return finish(compilingExpression(environment, text, expected));
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}

/** Compiles variables, each of which may refer to those before it. */
export function compilingVariables(environment: Environment, variables: readonly Variable[]): CompiledVariables {
  const byName = new Map<string, Compiled>();
  const fields = new Map<string, CelType>();
  const extended = (base: Environment): Environment => withVariables(base, fields);
  for (const { name = '', expression = '' } of variables) {
    const compiled = compilingAny(extended(environment), expression);
    byName.set(name, compiled);
    fields.set(name, compiled instanceof ExpressionError ? types.dyn : variableType(compiled.expression.type));
  }
  return { byName, in: extended };
}

/** The value of `variables`: each is evaluated when it is first accessed. */
export class LazyVariables extends MapObject {
  readonly #variables: ReadonlyMap<string, Compiled>;
  readonly #bindings: Bindings;
  readonly #values = new Map<string, Value>();
  /** Evaluations that have paused. */
  readonly #runs = new Map<string, Run>();
  #cost = 0;

  /** `bindings` are those of the expression that accesses them, this object among them. */
  constructor(variables: ReadonlyMap<string, Compiled>, bindings: Bindings) {
    super();
    this.#variables = variables;
    this.#bindings = bindings;
  }

  override get type(): CelType {
    return variablesType;
  }

  get size(): number {
    return this.#variables.size;
  }

  /** The cost of variables since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return key instanceof CelError ? key : noSuchOverload;
    const name = unescapeName(key);
    const compiled = name === undefined ? undefined : this.#variables.get(name);
    if (name === undefined || compiled === undefined) return undefined;
    let value = this.#values.get(name);
    if (value === undefined) this.#values.set(name, (value = this.#evaluate(name, compiled)));
    return value;
  }

  *keys(): Generator<Value> {
    yield* this.#variables.keys();
  }

  #evaluate(name: string, compiled: Compiled): Value {
    const failed = (verb: string, why: string): CelError =>
      new CelError(`composited variable ${goQuote(name)} fails to ${verb}: ${why}`);
    if (compiled instanceof ExpressionError) return failed('compile', compiled.message);
    const evaluation = this.#proceed(name, compiled.program);
    this.#cost += evaluation.cost;
    const failure = failureOf(evaluation);
    return failure === undefined ? evaluation.value : failed('evaluate', failure);
  }

  /** Pauses along with the expression that accesses the variable. */
  #proceed(name: string, program: Program): Evaluation {
    const run = this.#runs.get(name) ?? program.start(this.#bindings, maxCallCost);
    const evaluation = run.proceed();
    if (evaluation !== undefined) return evaluation;
    this.#runs.set(name, run);
    throw run.pause;
  }
}
