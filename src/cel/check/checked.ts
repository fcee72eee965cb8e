import type { Call, Expr } from '../syntax/ast.ts';
import { types, type CelType } from '../types/cel-type.ts';

/** What a name refers to: a variable or a type. */
export interface NameReference {
  readonly kind: 'name';
  readonly name: string;
  /** Refers to the environment even if a comprehension variable has the same name. */
  readonly isGlobal: boolean;
}

/** Candidate overloads, in declaration order. */
export interface CallReference {
  readonly kind: 'call';
  readonly function: string;
  readonly overloads: readonly string[];
  /** The target is part of the function's qualified name, as in `optional.of(1)`. */
  readonly isQualified: boolean;
}

/** A type-checked expression. */
export class CheckedExpr {
  readonly root: Expr;
  readonly #types: ReadonlyMap<Expr, CelType>;
  readonly #names: ReadonlyMap<Expr, NameReference>;
  readonly #calls: ReadonlyMap<Expr, CallReference>;

  constructor(
    root: Expr,
    types: ReadonlyMap<Expr, CelType>,
    references: { readonly names: ReadonlyMap<Expr, NameReference>; readonly calls: ReadonlyMap<Expr, CallReference> },
  ) {
    this.root = root;
    this.#types = types;
    this.#names = references.names;
    this.#calls = references.calls;
  }

  get type(): CelType {
    return this.typeOf(this.root);
  }

  typeOf(expr: Expr): CelType {
    return this.#types.get(expr) ?? types.dyn;
  }

  /** For identifiers, and for select chains that form one qualified name. */
  nameOf(expr: Expr): NameReference | undefined {
    return this.#names.get(expr);
  }

  callOf(call: Call): CallReference | undefined {
    return this.#calls.get(call);
  }

  /** Arguments of a call, the target first. */
  argsOf(call: Call): readonly Expr[] {
    const target = this.targetOf(call);
    return target === undefined ? call.args : [target, ...call.args];
  }

  targetOf(call: Call): Expr | undefined {
    return this.callOf(call)?.isQualified === true ? undefined : call.target;
  }

  /** Referenced names: variables of the environment, types and comprehension variables. */
  *names(): Generator<string> {
    for (const { name } of this.#names.values()) yield name;
  }
}
