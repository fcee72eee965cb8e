import type { CelType } from '../types/cel-type.ts';
import type { Value } from '../values/value.ts';

// Declarations of an environment: functions with their overloads, and types with their fields.

/** One overload. A receiver is its first argument. */
export interface Overload {
  readonly id: string;
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly isMember: boolean;
  /** Absent when the function has one implementation for all overloads. */
  readonly call?: Implementation;
}

/** By arity, so that unary and binary calls allocate no array. */
export type Implementation =
  | { readonly arity: 0; call(): Value }
  | { readonly arity: 1; call(a: Value): Value }
  | { readonly arity: 2; call(a: Value, b: Value): Value }
  | { readonly arity: 'many'; call(args: readonly Value[]): Value };

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** One implementation of all overloads, for first arguments that implement the trait. */
  readonly shared?: Implementation & { readonly takes?: (first: Value) => boolean };
  /** Skips the check of argument types: the implementation accepts any. */
  readonly isUnguarded?: boolean;
  /** Its results may have to be waited for. */
  readonly mayWait?: boolean;
}

/** Types with fields, and names that denote types. */
export interface TypeProvider {
  /** The type that a name denotes: `int`, `net.IP`. */
  namedType(name: string): CelType | undefined;
  /** The type that a name is a value of; undefined for names that only the checker knows. */
  typeValueOf(name: string): CelType | undefined;
  /** A constant of an enumeration. */
  constantOf(name: string): Value | undefined;
  isStruct(name: string): boolean;
  fieldType(struct: string, field: string): CelType | undefined;
  /** Whether the computation of a field of this name may pause. */
  mayPause(field: string): boolean;
  /** Constructs a message; undefined where the type cannot be constructed. */
  construct(struct: string, fields: ReadonlyMap<string, Value>): Value | undefined;
}

export interface Variable {
  readonly name: string;
  readonly type: CelType;
}

/** Type parameters in a signature. */
export function paramsOf({ args, result }: Overload): ReadonlySet<string> {
  const names = new Set<string>();
  const open: CelType[] = [result, ...args];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'param') names.add(next.name);
    open.push(...next.params);
  }
  return names;
}
