import type { Expr } from './ast.ts';
import { appended, expected, Factory, filtered, type Macro, type MacroCall, quantifiers, variableOf } from './macro.ts';
import { MacroError } from './macro.ts';

/** The alternative name was introduced with two-variable comprehensions. */
const { existsOne: _, ...oneVariable } = quantifiers;

const notIdentifier = 'argument is not an identifier';

export const standardMacros: readonly Macro[] = [
  { name: 'has', argCount: 1, isMember: false, expand: expandHas },
  ...Object.entries(oneVariable).map(([name, body]) => ({
    name,
    argCount: 2,
    isMember: true,
    expand({ at, target, args: [item, ...rest] }: MacroCall): Expr {
      const variable = variableOf(item, 'argument must be a simple name');
      const make = new Factory(at);
      return make.loop({ range: target, item: variable, ...body(make, rest) });
    },
  })),
  { name: 'map', argCount: 2, isMember: true, expand: expandMap },
  { name: 'map', argCount: 3, isMember: true, expand: expandMap },
  { name: 'filter', argCount: 2, isMember: true, expand: expandFilter },
];

function expandHas({ at, args: [arg] }: MacroCall): Expr {
  const field = expected(arg);
  if (field.kind !== 'select') throw new MacroError(field.at, 'invalid argument to has() macro');
  return new Factory(at).presence(field.operand, field.field);
}

export function expandMap({ at, target, args }: MacroCall): Expr {
  const item = variableOf(args[0], notIdentifier);
  const make = new Factory(at);
  const step = appended(make, expected(args.at(-1)));
  return make.loop({
    range: target,
    item,
    init: make.list(),
    step: filtered(make, args.length === 3 ? args[1] : undefined, step),
  });
}

function expandFilter({ at, target, args: [variable, filter] }: MacroCall): Expr {
  const item = variableOf(variable, notIdentifier);
  const make = new Factory(at);
  return make.loop({
    range: target,
    item,
    init: make.list(),
    step: filtered(make, expected(filter), appended(make, expected(variable))),
  });
}
