import type { Expr } from './ast.ts';

/** How deep rules of the grammar nest, and how deep what is made of them: nothing below needs to fear for its stack. */
const maxDepth = 250;

/** An expression that nests too deeply; the message is what clients see. */
export class DepthError extends Error {
  override readonly name = 'DepthError';
  readonly code = 'cel-depth';
}

export class Nesting {
  readonly #depths = { expr: 0, relation: 0, calc: 0 };
  readonly #heights = new Map<Expr, number>();

  /** Runs a rule within the others that are open. */
  within<T>(rule: 'expr' | 'relation' | 'calc', parse: () => T): T {
    this.#depths[rule] += 1;
    if (this.#depths[rule] > maxDepth) throw new DepthError(`expression recursion limit exceeded: ${maxDepth}`);
    const parsed = parse();
    this.#depths[rule] -= 1;
    return parsed;
  }

  /** Notes what an expression is made of: calls, selections and operators count, `levels` is 0 for what does not. */
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
