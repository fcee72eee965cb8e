import type { Expr } from './ast.ts';
import { appended, expected, Factory, filtered, type Macro, type MacroCall, quantifiers, variableOf } from './macro.ts';
import { MacroError } from './macro.ts';

/** Inserts an entry into the map of a comprehension. */
export const mapInsert = 'cel.@mapInsert';

/** Macros over index and value, or key and value. */
export const twoVariableMacros: readonly Macro[] = [
  ...Object.entries(quantifiers).map(([name, body]) => ({
    name,
    argCount: 3,
    isMember: true,
    expand({ at, target, args }: MacroCall): Expr {
      const variables = variablesOf(args);
      const make = new Factory(at);
      return make.loop({ range: target, ...variables, ...body(make, args.slice(2)) });
    },
  })),
  ...transforms('transformList', {
    init: (make) => make.list(),
    step: (make, _variable, value) => appended(make, value),
  }),
  ...transforms('transformMap', {
    init: (make) => make.map(),
    step: (make, key, value) => make.call(mapInsert, make.accumulator, make.ident(key), value),
  }),
  ...transforms('transformMapEntry', {
    init: (make) => make.map(),
    step: (make, _variable, value) => make.call(mapInsert, make.accumulator, value),
  }),
];

interface Transform {
  readonly init: (make: Factory) => Expr;
  readonly step: (make: Factory, variable: string, value: Expr) => Expr;
}

function transforms(name: string, { init, step }: Transform): readonly Macro[] {
  return [3, 4].map((argCount) => ({
    name,
    argCount,
    isMember: true,
    expand({ at, target, args }: MacroCall): Expr {
      const variables = variablesOf(args);
      const make = new Factory(at);
      const filter = argCount === 4 ? args[2] : undefined;
      return make.loop({
        range: target,
        ...variables,
        init: init(make),
        step: filtered(make, filter, step(make, variables.item, expected(args.at(-1)))),
      });
    },
  }));
}

function variablesOf([first, second]: readonly Expr[]): { readonly item: string; readonly second: string } {
  for (const arg of [first, second]) {
    const variable = expected(arg);
    if (variable.kind !== 'ident') throw new MacroError(variable.at, 'argument must be a simple name');
    if (arg === second && first?.kind === 'ident' && variable.name === first.name) {
      throw new MacroError(variable.at, `duplicate variable name: ${variable.name}`);
    }
  }
  const message = 'argument must be a simple name';
  return { item: variableOf(first, message), second: variableOf(second, message) };
}
