import { type Expr, operators } from './ast.ts';
import { expected, Factory, type Macro, type MacroCall, MacroError } from './macro.ts';
import { expandMap } from './standard-macros.ts';

/** `target.optMap(name, expression)`: maps the value of an optional, if it has one. */
export const optionalMacros: readonly Macro[] = [
  { name: 'optMap', argCount: 2, isMember: true, expand: (call) => expandOptional(call, 'optMap') },
  { name: 'optFlatMap', argCount: 2, isMember: true, expand: (call) => expandOptional(call, 'optFlatMap') },
];

function expandOptional({ at, target, args: [variable, body] }: MacroCall, name: 'optMap' | 'optFlatMap'): Expr {
  const given = expected(variable);
  if (given.kind !== 'ident') throw new MacroError(given.at, `${name}() variable name must be a simple identifier`);
  const make = new Factory(at);
  const bound = make.bind(given.name, make.memberCall('value', copyOf(target)), expected(body));
  return make.call(
    operators.conditional,
    make.memberCall('hasValue', target),
    name === 'optMap' ? make.call('optional.of', bound) : bound,
    make.call('optional.none'),
  );
}

/** Sorts a list by the order of another one. */
export const sortByKeys = '@sortByAssociatedKeys';
const sortInput = '@__sortBy_input__';
const sortable: ReadonlySet<Expr['kind']> = new Set(['list', 'select', 'ident', 'comprehension', 'call']);

export const sortByMacro: Macro = {
  name: 'sortBy',
  argCount: 2,
  isMember: true,
  expand({ at, target, args }) {
    if (!sortable.has(target.kind)) {
      const kinds = 'list, identifier, comprehension, call or select expression';
      throw new MacroError(target.at, `sortBy can only be applied to a ${kinds}`);
    }
    const make = new Factory(at);
    const input = make.ident(sortInput);
    const keys = expandMap({ at, target: input, args });
    return make.bind(sortInput, target, make.memberCall(sortByKeys, make.ident(sortInput), keys));
  },
};

/** `cel.bind(name, value, expression)`: an expression with a local variable. */
export const bindMacro: Macro = {
  name: 'bind',
  argCount: 3,
  isMember: true,
  expand({ at, target, args: [variable, value, result] }) {
    if (target.kind !== 'ident' || target.name !== 'cel') return undefined;
    const given = expected(variable);
    if (given.kind !== 'ident') throw new MacroError(given.at, 'cel.bind() variable names must be simple identifiers');
    return new Factory(at).bind(given.name, expected(value), expected(result));
  },
};

/** Duplicated operands double with each nested macro. */
const maxCopied = 2000;

/** A duplicated operand becomes two expressions, each checked on its own. */
function copyOf(copied: Expr): Expr {
  let left = maxCopied;
  const copy = (expr: Expr): Expr => {
    left--;
    if (left < 0) throw new MacroError(copied.at, 'expression is too large for this macro');
    switch (expr.kind) {
      case 'literal':
      case 'ident':
        return { ...expr };
      case 'select':
        return { ...expr, operand: copy(expr.operand) };
      case 'call':
        return { ...expr, target: expr.target && copy(expr.target), args: expr.args.map(copy) };
      case 'list':
        return { ...expr, elements: expr.elements.map((each) => ({ ...each, value: copy(each.value) })) };
      case 'map':
        return {
          ...expr,
          entries: expr.entries.map((each) => ({ ...each, key: copy(each.key), value: copy(each.value) })),
        };
      case 'struct':
        return { ...expr, fields: expr.fields.map((each) => ({ ...each, value: copy(each.value) })) };
      case 'comprehension':
        return {
          ...expr,
          range: copy(expr.range),
          init: copy(expr.init),
          condition: copy(expr.condition),
          step: copy(expr.step),
          result: copy(expr.result),
        };
    }
  };
  return copy(copied);
}
