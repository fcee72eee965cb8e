import type { Value } from '../values/value.ts';

// Parsed expressions. Operators are calls of functions named like `_+_`; macros are expanded.

export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension;

interface Node {
  /** Position reported in errors: the operator of a call, the dot of a selection. */
  readonly at: number;
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: Value;
}

export interface Ident extends Node {
  readonly kind: 'ident';
  /** A leading dot skips comprehension variables. */
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** `has(operand.field)` */
  readonly isTest: boolean;
}

export interface Call extends Node {
  readonly kind: 'call';
  readonly function: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Element[];
}

export interface Element {
  readonly value: Expr;
  readonly isOptional: boolean;
}

export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
}

export interface Entry extends Element {
  readonly at: number;
  readonly key: Expr;
}

export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly FieldInit[];
}

export interface FieldInit extends Element {
  readonly at: number;
  readonly name: string;
}

/**
 * A comprehension over a list or the keys of a map: `accu = init; for (item of range) { if (!condition) break; accu =
 * step } result`.
 */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly item: string;
  /** The value beside the index or key in `item`. */
  readonly second: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** Function names of operators. */
export const operators = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  negate: '-_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  in: '@in',
  notStrictlyFalse: '@not_strictly_false',
} as const;

/** The accumulator variable of macros; no identifier can be spelled like it. */
export const accumulatorName = '@result';
/** Its former name, which is still reserved in macros. */
export const oldAccumulatorName = '__result__';

/** Traverses an expression in pre-order. */
export function walk(expr: Expr, visit: (expr: Expr) => void): void {
  const open = [expr];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visit(next);
    open.push(...childrenOf(next).toReversed());
  }
}

export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements.map(({ value }) => value);
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
