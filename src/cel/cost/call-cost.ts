import { operators } from '../syntax/ast.ts';
import { FormatValue } from '../libraries/formats.ts';
import { comparableTypes } from '../types/cel-type.ts';
import { itemAt, isList, listSize } from '../values/collections.ts';
import { traversalCost } from '../values/size.ts';
import { sizeOf } from '../values/size.ts';
import { isBytes, isError, isInt, LibraryValue, Optional, type Value } from '../values/value.ts';
import { nominalFunctions } from './nominal-functions.ts';

/** The cost of a call, given its arguments and result. */
export type CallCost = number | ((args: readonly Value[], result: Value) => number);

/** Traversing a character costs a tenth of an access. */
const textFactor = 0.1;
const regexFactor = 0.25;
const listBase = 10;

/** By overload where known, then by function, then by overload again: the reference's order. */
export function callCost(name: string, overload: string): CallCost {
  return tracked[overload] ?? byFunction(name, overload) ?? standard[overload] ?? 1;
}

function byFunction(name: string, overload: string): CallCost | undefined {
  if (name === operators.equals) return equalityCost;
  if (name === 'containsIP') return containsIpCost(overload);
  if (name === 'containsCIDR') return containsCidrCost(overload);
  if (name === 'ip' && overload === 'cidr_ip') return 1;
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}

function size(value: Value | undefined): number {
  return value === undefined ? 1 : (sizeOf(value) ?? 1);
}

/** Optionals are sized by their value. */
function innerSize(value: Value | undefined): number {
  if (value instanceof Optional && value.value !== undefined) return innerSize(value.value);
  return size(value);
}

function traversed(length: number, times = 1): number {
  return Math.ceil(length * times * textFactor);
}

function matchCost(text: number, pattern: number): number {
  return Math.ceil((1 + text) * textFactor) * Math.ceil(pattern * regexFactor);
}

const onText: CallCost = ([text]) => traversed(size(text));
const onTextTwice: CallCost = ([text]) => traversed(size(text), 2);
const onItems: CallCost = ([list]) => traversalCost(list ?? null);
const onSelector: CallCost = ([, selector]) => {
  const length = size(selector);
  return listBase + traversed(length) + Math.ceil(Math.ceil(length * 0.5) * (listBase + 40));
};

const functions: { readonly [name: string]: CallCost } = {
  ...Object.fromEntries(nominalFunctions.map((name) => [name, 1])),
  // The cost limit permits two authorizer checks per expression.
  check: 350_000,
  fieldSelector: onSelector,
  labelSelector: onSelector,
  ...rows(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf', 'includes'], onItems),
  ...rows(['url', 'lowerAscii', 'upperAscii', 'substring', 'trim', 'jsonpatch.escapeKey'], onText),
  ...rows(['cidr', 'isIP', 'isCIDR', 'ip', 'quantity', 'isQuantity', 'semver', 'isSemver'], onText),
  ...rows(['replace', 'split', 'ip.isCanonical'], onTextTwice),
  join: (_args, result) => traversed(size(result), 2),
  ...rows(['find', 'findAll'], ([text, pattern]) => matchCost(size(text), size(pattern))),
  validate: ([format, text]) => (format instanceof FormatValue ? matchCost(size(text), format.patternLength) : 1),
};

function rows(names: readonly string[], cost: CallCost): { readonly [name: string]: CallCost } {
  return Object.fromEntries(names.map((name) => [name, cost]));
}

function equalityCost([a = null, b = null]: readonly Value[]): number {
  return a instanceof LibraryValue ? 1 : comparisonCost([a, b]);
}

function comparisonCost([a, b]: readonly Value[]): number {
  return traversed(Math.min(innerSize(a), innerSize(b)));
}

function containsIpCost(overload: string): CallCost {
  return ([cidr, other]) => {
    const parsing = overload === 'cidr_contains_ip_string' ? traversed(size(other)) : 0;
    return traversed(size(cidr), 2) + parsing;
  };
}

function containsCidrCost(overload: string): CallCost {
  return ([cidr, other]) => {
    const parsing = overload === 'cidr_contains_cidr_string' ? traversed(size(other)) : 0;
    return traversed(size(cidr), 2) + traversed(size(cidr)) + 1 + parsing;
  };
}

const comparisons = ['less', 'greater', 'less_equals', 'greater_equals'].flatMap((verb) => [
  `${verb}_string`,
  `${verb}_bytes`,
]);

const standard: { readonly [overload: string]: CallCost } = {
  ...rows(['starts_with_string', 'ends_with_string'], ([, part]) => traversed(innerSize(part))),
  ...rows(['string_to_bytes', 'bytes_to_string', 'strings_quote', 'string_format'], ([text]) =>
    traversed(innerSize(text)),
  ),
  in_list: ([, list]) => innerSize(list),
  ...rows([...comparisons, 'equals', 'not_equals'], comparisonCost),
  ...rows(['add_string', 'add_bytes'], ([a, b]) => traversed(innerSize(a) + innerSize(b))),
  ...rows(['matches', 'matches_string'], ([text, pattern]) => matchCost(innerSize(text), innerSize(pattern))),
  contains_string: ([text, part]) => traversed(innerSize(text)) * traversed(innerSize(part)),
};

function allocated(factor: number, length: number): number {
  return Math.trunc(length * (factor < 0 ? 1 : factor)) + 1 + listBase;
}

const outputSize: CallCost = (_args, result) => allocated(1, size(result));
const flattened: CallCost = ([list, depth]) => {
  if (depth !== undefined && isError(depth)) throw new CostTrackingError('ref.Val is *types.Err, not types.Int');
  return allocated(depth !== undefined && isInt(depth) ? Number(depth) : 1, size(list));
};

/** The reference aborts when the argument is not of its type, even where the error would be absorbed. */
export class CostTrackingError extends Error {
  override readonly name = 'CostTrackingError';
  readonly code = 'cel-cost-tracking';

  constructor(conversion: string) {
    super(`internal error: interface conversion: ${conversion}`);
  }
}

/** All items are compared pairwise. */
function selfComparison(list: Value | undefined): number {
  if (list !== undefined && isError(list))
    throw new CostTrackingError('*types.Err is not traits.Lister: missing method Add');
  const length = size(list);
  if (length === 0 || list === undefined || !isList(list) || listSize(list) === 0) return allocated(2, 0);
  const first = itemAt(list, 0);
  const isText = typeof first === 'string' || isBytes(first);
  return allocated(isText ? 2 + textFactor : 2, length * length);
}

function product(factor: number): CallCost {
  return ([a, b]) => 1 + size(a) * size(b) * factor;
}

const tracked: { readonly [overload: string]: CallCost } = {
  list_sets_contains_list: product(1),
  list_sets_intersects_list: product(1),
  list_sets_equivalent_list: product(2),
  ...rows(['list_slice', 'lists_range', 'list_reverse'], outputSize),
  ...rows(['list_flatten', 'list_flatten_int'], flattened),
  list_distinct: ([list]) => selfComparison(list),
  ...rows(
    comparableTypes.map(({ name: type }) => `list_${type}_sort`),
    ([list]) => selfComparison(list),
  ),
  ...rows(
    comparableTypes.map(({ name: type }) => `list_${type}_sortByAssociatedKeys`),
    ([, keys]) => selfComparison(keys),
  ),
};
