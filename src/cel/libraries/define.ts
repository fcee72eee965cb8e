import type { FunctionDeclaration, Implementation, Overload } from '../check/declarations.ts';
import type { Macro } from '../syntax/macro.ts';
import { paramType, type CelType } from '../types/cel-type.ts';
import type { Value } from '../values/value.ts';

// Notation for the functions of libraries.

/** A component of an environment. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Types that expressions may name. */
  readonly types?: readonly CelType[];
}

export function unary(call: (a: Value) => Value): Implementation {
  return { arity: 1, call };
}

export function binary(call: (a: Value, b: Value) => Value): Implementation {
  return { arity: 2, call };
}

export function many(call: (args: readonly Value[]) => Value): Implementation {
  return { arity: 'many', call };
}

export function constant(value: Value): Implementation {
  return { arity: 0, call: () => value };
}

/** `[arguments, result]` */
type Signature = readonly [args: readonly CelType[], result: CelType];

export function global(id: string, [args, result]: Signature, call?: Implementation): Overload {
  return { id, args, result, isMember: false, ...(call && { call }) };
}

/** A member function: the first argument is the receiver. */
export function member(id: string, [args, result]: Signature, call?: Implementation): Overload {
  return { id, args, result, isMember: true, ...(call && { call }) };
}

export function declare(name: string, ...overloads: Overload[]): FunctionDeclaration {
  return { name, overloads };
}

/** One implementation for all overloads. */
export function declareShared(
  name: string,
  shared: Implementation,
  overloads: readonly Overload[],
): FunctionDeclaration {
  return { name, overloads, shared };
}

export const paramA = paramType('A');
export const paramB = paramType('B');
