import { childrenOf, type Expr, operators } from './ast.ts';

/** Nodes between two pauses. */
const nodesAtOnce = 500;

/**
 * Visits an expression recursively, with pauses when it is large: its parts come first, in the order in which the
 * visitor would reach them, and the visitor finds their results in `known`. No variables are declared above a part.
 */
export function* visiting<T>(root: Expr, known: Map<Expr, T>, visit: (expr: Expr) => T): Generator<undefined, T> {
  const sizes = new Map<Expr, number>();
  if (sizeOf(root, sizes) <= nodesAtOnce) return visit(root);
  let visited = 0;
  for (const part of partsOf(root, sizes)) {
    known.set(part, visit(part));
    visited += isLarge(part, sizes) ? 1 : (sizes.get(part) ?? 1);
    if (visited < nodesAtOnce) continue;
    yield;
    visited = 0;
  }
  return visit(root);
}

function sizeOf(expr: Expr, sizes: Map<Expr, number>): number {
  let size = 1;
  for (const child of childrenOf(expr)) size += sizeOf(child, sizes);
  sizes.set(expr, size);
  return size;
}

function isLarge(expr: Expr, sizes: ReadonlyMap<Expr, number>): boolean {
  return (sizes.get(expr) ?? 0) > nodesAtOnce && isOpen(expr);
}

/** All parts of a large one, then itself. */
function* partsOf(expr: Expr, sizes: ReadonlyMap<Expr, number>): Generator<Expr> {
  if (isLarge(expr, sizes)) for (const child of childrenOf(expr)) yield* partsOf(child, sizes);
  yield expr;
}

const operatorNames: ReadonlySet<string> = new Set(
  Object.values(operators).filter((name) => name !== operators.optionalSelect),
);

/** Whether visitors reach the parts one after the other before anything else. */
function isOpen(expr: Expr): boolean {
  switch (expr.kind) {
    case 'call':
      return expr.target === undefined && operatorNames.has(expr.function);
    case 'list':
      return expr.elements.every(({ isOptional }) => !isOptional);
    case 'map':
      return expr.entries.every(({ isOptional }) => !isOptional);
    default:
      return false;
  }
}
