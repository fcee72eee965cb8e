import { type Compiled, compileEach } from '../../cel/compile-all.ts';
import { ExpressionError } from '../../cel/compile-expression.ts';
import type { Environment } from '../../cel/environments/environment.ts';
import { LazyFields } from '../../cel/program/lazy-fields.ts';
import { Pause } from '../../cel/program/pause.ts';
import { type Bindings, type Evaluation, failureOf } from '../../cel/program/program.ts';
import { maxCallCost } from '../../cel/rules/limits.ts';
import { variablesType, variableType, withVariables } from '../../cel/environments/variables.ts';
import { type CelType, types } from '../../cel/types/cel-type.ts';
import { unescapeName } from '../../cel/values/escaped-names.ts';
import { CelError, noSuchOverload, type Value } from '../../cel/values/value.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { Variable } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';

/** The named expressions of a policy, and the environment in which further expressions may refer to them. */
export interface CompiledVariables {
  readonly byName: ReadonlyMap<string, Compiled>;
  /** With the variable `variables`. */
  in(environment: Environment): Environment;
}

/** Compiles variables, each of which may refer to those before it. */
export async function compileVariables(
  environment: Environment,
  variables: readonly Variable[],
): Promise<CompiledVariables> {
  const byName = new Map<string, Compiled>();
  const fields = new Map<string, CelType>();
  const pausing = new Set<string>();
  const extended = (base: Environment): Environment => withVariables(base, fields, pausing);
  function* sources() {
    for (const { name = '', expression: text = '' } of variables)
      yield { environment: extended(environment), name, text };
  }
  await compileEach(sources(), (compiled, { name }) => {
    byName.set(name, compiled);
    if (!(compiled instanceof ExpressionError) && compiled.program.mayPause) pausing.add(name);
    fields.set(name, compiled instanceof ExpressionError ? types.dyn : variableType(compiled.expression.type));
  });
  return { byName, in: extended };
}

/** The value of `variables`: each is evaluated when it is first accessed. */
export class LazyVariables extends LazyFields {
  readonly #variables: ReadonlyMap<string, Compiled>;
  readonly #bindings: Bindings;
  readonly #values = new Map<string, Value>();
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
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    if (compiled instanceof ExpressionError) return this.#keep(name, failed(name, 'compile', compiled.message));
    return this.#result(name, compiled.program.evaluate(this.#bindings, maxCallCost));
  }

  override prepare(field: string): Pause<undefined> | undefined {
    const name = unescapeName(field);
    const compiled = name === undefined ? undefined : this.#variables.get(name);
    if (name === undefined || compiled === undefined || this.#values.has(name)) return undefined;
    if (compiled instanceof ExpressionError) return undefined;
    const evaluation = compiled.program.begin(this.#bindings, { costLimit: maxCallCost });
    if (evaluation instanceof Pause) return evaluation.before((made) => void this.#result(name, made));
    this.#result(name, evaluation);
    return undefined;
  }

  *keys(): Generator<Value> {
    yield* this.#variables.keys();
  }

  #result(name: string, evaluation: Evaluation): Value {
    this.#cost += evaluation.cost;
    const failure = failureOf(evaluation);
    return this.#keep(name, failure === undefined ? evaluation.value : failed(name, 'evaluate', failure));
  }

  #keep(name: string, value: Value): Value {
    this.#values.set(name, value);
    return value;
  }
}

function failed(name: string, verb: string, why: string): CelError {
  return new CelError(`composited variable ${goQuote(name)} fails to ${verb}: ${why}`);
}
