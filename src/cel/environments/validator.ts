import type { CheckedExpr } from '../check/checked.ts';
import type { Issue } from '../source.ts';
import { childrenOf, type Expr, type ListExpr, type MapExpr, walk } from '../syntax/ast.ts';
import { goRegexpError } from '../../api/go/go-regexp.ts';
import { type CelType, elementOf, isEquivalentType, typeText } from '../types/cel-type.ts';
import { convert } from '../values/conversions.ts';
import { clauseMessages } from '../values/format.ts';
import { type Clause, FormatError, formatParts } from '../values/format-clauses.ts';
import { isError, type Value } from '../values/value.ts';

/** Finds errors beyond type checking. */
export type Validator = (checked: CheckedExpr) => readonly Issue[];

/** Literals that `duration` and `timestamp` cannot parse, and invalid regular expressions. */
const literals: { readonly [name: string]: (literal: Value) => boolean } = {
  duration: (literal) => isError(convert(literal, 'duration')),
  timestamp: (literal) => isError(convert(literal, 'timestamp')),
  matches: (literal) => typeof literal === 'string' && goRegexpError(literal) !== undefined,
};

export const validateLiterals: Validator = (checked) => {
  const issues: Issue[] = [];
  walk(checked.root, (expr) => {
    if (expr.kind !== 'call' || !Object.hasOwn(literals, expr.function)) return;
    const [arg] = expr.args;
    if (arg?.kind !== 'literal') return;
    if (literals[expr.function]?.(arg.value) === true) {
      issues.push({ at: arg.at, message: `invalid ${expr.function} argument` });
    }
  });
  return issues;
};

/** List and map literals must be homogeneous, except the arguments of `format`. */
export const validateHomogeneousLiterals: Validator = (checked) => {
  const issues: Issue[] = [];
  const open: Expr[] = [checked.root];
  for (let expr = open.pop(); expr !== undefined; expr = open.pop()) {
    if (expr.kind === 'call' && expr.function === 'format') {
      // The arguments may be heterogeneous; the target is a string.
      continue;
    }
    if (expr.kind === 'list') issues.push(...mixedItems(checked, expr));
    if (expr.kind === 'map') issues.push(...mixedEntries(checked, expr));
    open.push(...childrenOf(expr).toReversed());
  }
  return issues;
};

function mixedItems(checked: CheckedExpr, { elements }: ListExpr): readonly Issue[] {
  let expected: CelType | undefined;
  for (const { value, isOptional } of elements) {
    const type = isOptional ? elementOf(checked.typeOf(value)) : checked.typeOf(value);
    expected ??= type;
    if (!isEquivalentType(expected, type)) return [mismatch(value, expected, type)];
  }
  return [];
}

function mixedEntries(checked: CheckedExpr, { entries }: MapExpr): readonly Issue[] {
  const [first] = entries;
  if (first === undefined) return [];
  const valueType = ({ value, isOptional }: (typeof entries)[number]): CelType =>
    isOptional ? elementOf(checked.typeOf(value)) : checked.typeOf(value);
  const [keys, values] = [checked.typeOf(first.key), valueType(first)];
  return entries.flatMap((entry) => {
    const [key, value] = [checked.typeOf(entry.key), valueType(entry)];
    return [
      ...(isEquivalentType(keys, key) ? [] : [mismatch(entry.key, keys, key)]),
      ...(isEquivalentType(values, value) ? [] : [mismatch(entry.value, values, value)]),
    ];
  });
}

function mismatch({ at }: Expr, expected: CelType, found: CelType): Issue {
  return { at, message: `expected type '${typeText(expected)}' but found '${typeText(found)}'` };
}

const clauseTypes: { readonly [K in Clause['letter']]: readonly CelType['kind'][] } = {
  s: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
};

/** Literal format strings with literal argument lists. */
export const validateFormats: Validator = (checked) => {
  const issues: Issue[] = [];
  walk(checked.root, (expr) => {
    if (expr.kind !== 'call' || checked.callOf(expr)?.overloads.includes('string_format') !== true) return;
    const [args] = expr.args;
    if (expr.target?.kind !== 'literal' || typeof expr.target.value !== 'string' || args?.kind !== 'list') return;
    const values = args.elements.map(({ value }) => value);
    const issue = formatIssue(checked, expr.target.value, values);
    if (issue !== undefined) issues.push({ at: expr.at, ...issue });
  });
  return issues;
};

function formatIssue(
  checked: CheckedExpr,
  format: string,
  args: readonly Expr[],
): (Partial<Issue> & { message: string }) | undefined {
  let count = 0;
  try {
    for (const part of formatParts(format, args.length, true)) {
      if (typeof part === 'string') continue;
      count += 1;
      const arg = args[part.argument];
      const wrong = arg && wrongIn(checked, arg, part.clause);
      if (wrong === undefined) continue;
      const given = checked.typeOf(wrong).name;
      return {
        at: wrong.at,
        message: `error during formatting: ${clauseMessages[part.clause.letter]}, was given ${given}`,
      };
    }
  } catch (error) {
    if (error instanceof FormatError) return { message: error.message };
    throw error;
  }
  if (args.length <= count) return undefined;
  return { message: `too many arguments supplied to string.format (expected ${count}, got ${args.length})` };
}

/** The part of the argument that a clause cannot format. */
function wrongIn(checked: CheckedExpr, arg: Expr, clause: Clause): Expr | undefined {
  const { kind } = checked.typeOf(arg);
  if (kind !== 'dyn' && !clauseTypes[clause.letter].includes(kind)) return arg;
  if (clause.letter !== 's' || (arg.kind !== 'list' && arg.kind !== 'map')) return undefined;
  for (const child of childrenOf(arg)) {
    const wrong = wrongIn(checked, child, clause);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
