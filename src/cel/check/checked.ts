import type { Call, Expr } from '../syntax/ast.ts';
import { types, type CelType } from '../types/cel-type.ts';

/** What a name in an expression refers to: a variable or a type. */
export interface NameReference {
  readonly kind: 'name';
  readonly name: string;
  /** A variable of the environment though a loop has one of the same name. */
  readonly isGlobal: boolean;
}

/** The overloads that a call may mean, in the order in which they are declared. */
export interface CallReference {
  readonly kind: 'call';
  readonly function: string;
  readonly overloads: readonly string[];
  /** The target was but a part of the function's name, as in `optional.of(1)`. */
  readonly isQualified: boolean;
}

/** An expression with what the checker found out. */
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

  /** Of an identifier, or of selections that together are one name. */
  nameOf(expr: Expr): NameReference | undefined {
    return this.#names.get(expr);
  }

  callOf(call: Call): CallReference | undefined {
    return this.#calls.get(call);
  }

  /** The arguments of a call, its target first. */
  argsOf(call: Call): readonly Expr[] {
    const target = this.targetOf(call);
    return target === undefined ? call.args : [target, ...call.args];
  }

  targetOf(call: Call): Expr | undefined {
    return this.callOf(call)?.isQualified === true ? undefined : call.target;
  }

  /** The names that occur: variables of the environment, types and those of loops. */
  *names(): Generator<string> {
    for (const { name } of this.#names.values()) yield name;
  }
}
