import type { CelType } from '../types/cel-type.ts';
import type { Value } from '../values/value.ts';

// What an environment declares: functions with their overloads, and types with their fields.

/** One signature of a function. A target is its first argument. */
export interface Overload {
  readonly id: string;
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly isMember: boolean;
  /** Absent where the function has one implementation for all of its overloads. */
  readonly call?: Implementation;
}

/** By number of arguments, so that calls of one and two make no array. */
export type Implementation =
  | { readonly arity: 0; call(): Value }
  | { readonly arity: 1; call(a: Value): Value }
  | { readonly arity: 2; call(a: Value, b: Value): Value }
  | { readonly arity: 'many'; call(args: readonly Value[]): Value };

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The implementation of all overloads, for first arguments that can do what is asked. */
  readonly shared?: Implementation & { readonly takes?: (first: Value) => boolean };
  /** Arguments are handed on whatever they are. */
  readonly isUnguarded?: boolean;
}

/** Types that have fields, and names that are types. */
export interface TypeProvider {
  /** The type that a name stands for: `int`, `net.IP`. */
  namedType(name: string): CelType | undefined;
  isStruct(name: string): boolean;
  fieldType(struct: string, field: string): CelType | undefined;
  /** A message made of fields; undefined where the type cannot be made. */
  construct(struct: string, fields: ReadonlyMap<string, Value>): Value | undefined;
}

export interface Variable {
  readonly name: string;
  readonly type: CelType;
}

/** The parameters that occur in a signature. */
export function paramsOf({ args, result }: Overload): ReadonlySet<string> {
  const names = new Set<string>();
  const open: CelType[] = [result, ...args];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'param') names.add(next.name);
    open.push(...next.params);
  }
  return names;
}
