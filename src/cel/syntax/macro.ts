import {
  accumulatorName,
  type Call,
  type Comprehension,
  type Expr,
  type Literal,
  oldAccumulatorName,
  operators,
} from './ast.ts';

/** A call that expands to another expression: found by name, number of arguments, and whether it has a receiver. */
export interface Macro {
  readonly name: string;
  readonly argCount: number;
  readonly isMember: boolean;
  /** Undefined: a call of a function with that name. */
  expand(call: MacroCall): Expr | undefined;
}

export interface MacroCall {
  readonly at: number;
  /** An empty list without a receiver. */
  readonly target: Expr;
  readonly args: readonly Expr[];
}

/** An invalid macro argument, with its position. */
export class MacroError extends Error {
  override readonly name = 'MacroError';
  readonly code = 'cel-macro';
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

export function macroKey(name: string, argCount: number, isMember: boolean): string {
  return `${name}:${argCount}:${isMember}`;
}

/** Builds the nodes of an expansion, all at the position of the call. */
export class Factory {
  readonly #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  literal(value: boolean | number): Literal {
    return { kind: 'literal', at: this.#at, value };
  }

  ident(name: string): Expr {
    return { kind: 'ident', at: this.#at, name };
  }

  get accumulator(): Expr {
    return this.ident(accumulatorName);
  }

  call(name: string, ...args: Expr[]): Call {
    return { kind: 'call', at: this.#at, function: name, target: undefined, args };
  }

  memberCall(name: string, target: Expr, ...args: Expr[]): Call {
    return { kind: 'call', at: this.#at, function: name, target, args };
  }

  list(...values: Expr[]): Expr {
    return { kind: 'list', at: this.#at, elements: values.map((value) => ({ value, isOptional: false })) };
  }

  map(): Expr {
    return { kind: 'map', at: this.#at, entries: [] };
  }

  presence(operand: Expr, field: string): Expr {
    return { kind: 'select', at: this.#at, operand, field, isTest: true };
  }

  /** A comprehension that returns its accumulator, unless specified otherwise. */
  loop(parts: LoopParts): Comprehension {
    return {
      kind: 'comprehension',
      at: this.#at,
      second: undefined,
      accumulator: accumulatorName,
      condition: this.literal(true),
      result: this.accumulator,
      ...parts,
    };
  }

  /** Binds a variable: a comprehension that never iterates. */
  bind(name: string, value: Expr, result: Expr): Comprehension {
    return {
      kind: 'comprehension',
      at: this.#at,
      range: this.list(),
      item: '#unused',
      second: undefined,
      accumulator: name,
      init: value,
      condition: this.literal(false),
      step: this.ident(name),
      result,
    };
  }
}

type LoopParts = Pick<Comprehension, 'range' | 'item' | 'init' | 'step'> &
  Partial<Pick<Comprehension, 'second' | 'condition' | 'result'>>;

/** The step of a macro's comprehension. */
type Body = (factory: Factory, args: readonly Expr[]) => Omit<LoopParts, 'range' | 'item' | 'second'>;

export const quantifiers: { readonly [name: string]: Body } = {
  all: (make, [condition]) => ({
    init: make.literal(true),
    condition: make.call(operators.notStrictlyFalse, make.accumulator),
    step: make.call(operators.and, make.accumulator, expected(condition)),
  }),
  exists: (make, [condition]) => ({
    init: make.literal(false),
    condition: make.call(operators.notStrictlyFalse, make.call(operators.not, make.accumulator)),
    step: make.call(operators.or, make.accumulator, expected(condition)),
  }),
  exists_one: countOne,
  existsOne: countOne,
};

function countOne(make: Factory, [condition]: readonly Expr[]): ReturnType<Body> {
  const increment = make.call(operators.add, make.accumulator, make.literal(1));
  return {
    init: make.literal(0),
    step: make.call(operators.conditional, expected(condition), increment, make.accumulator),
    result: make.call(operators.equals, make.accumulator, make.literal(1)),
  };
}

/** A step for items that pass a filter; without a filter for all. */
export function filtered(make: Factory, filter: Expr | undefined, step: Expr): Expr {
  return filter === undefined ? step : make.call(operators.conditional, filter, step, make.accumulator);
}

export function appended(make: Factory, value: Expr): Expr {
  return make.call(operators.add, make.accumulator, make.list(value));
}

/** guaranteed, as macros are found by number of arguments */
export function expected<T>(arg: T | undefined): T {
  if (arg === undefined) throw new Error('a macro has fewer arguments than it was found by');
  return arg;
}

/** Name of a comprehension variable. */
export function variableOf(arg: Expr | undefined, message: string): string {
  const given = expected(arg);
  if (given.kind !== 'ident') throw new MacroError(given.at, message);
  checkVariable(given.at, given.name);
  return given.name;
}

function checkVariable(at: number, name: string): void {
  if (name === accumulatorName || name === oldAccumulatorName) {
    throw new MacroError(at, 'iteration variable overwrites accumulator variable');
  }
}
