import type { CallReference } from '../check/checked.ts';
import type { FunctionDeclaration, Implementation, Overload } from '../check/declarations.ts';
import type { CallCost } from '../cost/call-cost.ts';
import type { CelType } from '../types/cel-type.ts';
import { isOfType, noMatch } from '../values/signature-check.ts';
import { isError, type Value } from '../values/value.ts';
import type { Evaluate } from './frame.ts';

// Function calls: arguments, then the implementation, then the cost.

export interface Callee {
  readonly implementation: Implementation;
  readonly cost: CallCost;
}

export function callEvaluator({ implementation, cost }: Callee, args: readonly Evaluate[]): Evaluate {
  const [first, second] = args;
  if (implementation.arity === 0) {
    return (frame) => {
      const result = implementation.call();
      frame.charge(costOf(cost, [], result));
      return result;
    };
  }
  if (implementation.arity === 1 && first !== undefined) return unaryCall(implementation, cost, first);
  if (implementation.arity === 2 && first !== undefined && second !== undefined) {
    return binaryCall(implementation, cost, [first, second]);
  }
  return manyCall(implementation, cost, args);
}

function costOf(cost: CallCost, args: readonly Value[], result: Value): number {
  return typeof cost === 'number' ? cost : cost(args, result);
}

function unaryCall(callee: Implementation & { readonly arity: 1 }, cost: CallCost, arg: Evaluate): Evaluate {
  return (frame) => {
    const a = arg(frame);
    const result = isError(a) ? a : callee.call(a);
    frame.charge(typeof cost === 'number' ? cost : cost([a], result));
    return result;
  };
}

function binaryCall(
  callee: Implementation & { readonly arity: 2 },
  cost: CallCost,
  [left, right]: readonly [Evaluate, Evaluate],
): Evaluate {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = isError(a) ? a : isError(b) ? b : callee.call(a, b);
    frame.charge(typeof cost === 'number' ? cost : cost([a, b], result));
    return result;
  };
}

/** Arguments after the first error are not evaluated, and the call is free. */
function manyCall(callee: Implementation, cost: CallCost, args: readonly Evaluate[]): Evaluate {
  return (frame) => {
    const values: Value[] = [];
    for (const arg of args) {
      const value = arg(frame);
      values.push(value);
      if (!isError(value)) continue;
      if (values.length === args.length) frame.charge(costOf(cost, values, value));
      return value;
    }
    const result = callWith(callee, values);
    frame.charge(costOf(cost, values, result));
    return result;
  };
}

export function callWith(callee: Implementation, args: readonly Value[]): Value {
  const [a = null, b = null] = args;
  switch (callee.arity) {
    case 0:
      return callee.call();
    case 1:
      return callee.call(a);
    case 2:
      return callee.call(a, b);
    case 'many':
      return callee.call(args);
  }
}

/** The implementation of a call with known overloads, or dynamic dispatch. */
export function implementationOf(
  declared: FunctionDeclaration,
  reference: CallReference,
  argTypes: readonly CelType[],
): Implementation | undefined {
  if (declared.shared !== undefined) return declared.shared;
  const { overloads } = declared;
  const [only] = reference.overloads.length === 1 ? reference.overloads : [];
  const known = overloads.length === 1 ? overloads[0] : overloads.find(({ id }) => id === only);
  if (known?.call === undefined) return only === undefined ? dispatched(declared) : undefined;
  const isSure = declared.isUnguarded === true || (only !== undefined && argTypes.every(isConcrete));
  return isSure ? known.call : guarded(declared.name, known, known.call);
}

/** Types whose runtime value may be of another type, such as null. */
const vague: ReadonlySet<CelType['kind']> = new Set(['dyn', 'any', 'param', 'error', 'null']);

function isConcrete({ kind, params, isNullable }: CelType): boolean {
  return !vague.has(kind) && isNullable !== true && params.every(isConcrete);
}

function takes({ args: types }: Overload, args: readonly Value[]): boolean {
  return types.length === args.length && types.every((type, index) => isOfType(type, args[index] ?? null));
}

function guarded(name: string, overload: Overload, callee: Implementation): Implementation {
  switch (callee.arity) {
    case 0:
      return callee;
    case 1:
      return { arity: 1, call: (a) => (takes(overload, [a]) ? callee.call(a) : noMatch(name, [a])) };
    case 2:
      return { arity: 2, call: (a, b) => (takes(overload, [a, b]) ? callee.call(a, b) : noMatch(name, [a, b])) };
    case 'many':
      return { arity: 'many', call: (args) => (takes(overload, args) ? callee.call(args) : noMatch(name, args)) };
  }
}

function dispatched({ name, overloads, isUnguarded = false }: FunctionDeclaration): Implementation {
  return {
    arity: 'many',
    call(args) {
      for (const overload of overloads) {
        if (overload.call === undefined || overload.args.length !== args.length) continue;
        if (isUnguarded || takes(overload, args)) return callWith(overload.call, args);
      }
      return noMatch(name, args);
    },
  };
}
