import type { Expr } from './ast.ts';

/**
 * Limits the nesting of grammar rules and of the resulting expression, so that recursion over it cannot overflow the
 * stack.
 */
const maxDepth = 250;

/** An expression that nests too deeply; clients see the message. */
export class DepthError extends Error {
  override readonly name = 'DepthError';
  readonly code = 'cel-depth';
}

type NestedRule = 'expr' | 'relation' | 'calc';

export class Nesting {
  readonly #depths = { expr: 0, relation: 0, calc: 0 };
  readonly #heights = new Map<Expr, number>();

  /** Enters a rule inside of the open ones. */
  enter(rule: NestedRule): void {
    this.#depths[rule] += 1;
    if (this.#depths[rule] > maxDepth) throw new DepthError(`expression recursion limit exceeded: ${maxDepth}`);
  }

  leave(rule: NestedRule): void {
    this.#depths[rule] -= 1;
  }

  /** Records the operands of a node: calls, selections and operators add a level, `levels` is 0 for others. */
  made<T extends Expr>(expr: T, parts: readonly Expr[], levels: 0 | 1): T {
    let height = 0;
    for (const part of parts) height = Math.max(height, this.#heights.get(part) ?? 0);
    if (height + levels > 0) this.#heights.set(expr, height + levels);
    return expr;
  }

  check(expr: Expr): void {
    if ((this.#heights.get(expr) ?? 0) > maxDepth) throw new DepthError('max recursion depth exceeded');
  }
}
