import { comparableTypes } from '../types/cel-type.ts';
import { type CallEstimate, type EstimatedCall, type EstimatedNode, sizeOfNode } from './estimated-node.ts';
import { type Estimate, fixed, product, scaled, sum, unbounded } from './estimates.ts';

// Estimates for the overloads of CEL's own libraries.

type OverloadEstimate = (call: EstimatedCall) => CallEstimate | undefined;

function sizeIn({ declaredSize }: EstimatedCall, node: EstimatedNode): Estimate {
  return sizeOfNode(node, declaredSize);
}

/** A call that builds a list of this size. */
function listCall(factor: number, size: Estimate): CallEstimate {
  return { cost: sum(scaled(size, factor), fixed(11)), size };
}

function literalInt({ expr }: EstimatedNode, otherwise: bigint): bigint {
  if (expr.kind !== 'literal') return otherwise;
  const { value } = expr;
  if (typeof value !== 'number' && typeof value !== 'bigint') return otherwise;
  return value < 0 ? 0n : BigInt(value);
}

function setsEstimate(factor: number): OverloadEstimate {
  return (call) => {
    const [a, b] = call.args;
    if (a === undefined || b === undefined) return undefined;
    return { cost: sum(scaled(product(sizeIn(call, a), sizeIn(call, b)), factor), fixed(1)) };
  };
}

const slice: OverloadEstimate = (call) => {
  const { target, args } = call;
  const [start, end] = args;
  if (target === undefined || start === undefined || end === undefined) return undefined;
  const last = literalInt(end, sizeIn(call, target).max);
  return listCall(1, fixed(BigInt.asUintN(64, last - literalInt(start, 0n))));
};

const range: OverloadEstimate = ({ target, args: [count] }) =>
  target === undefined && count !== undefined ? listCall(1, fixed(literalInt(count, unbounded))) : undefined;

const reverse: OverloadEstimate = (call) => call.target && listCall(1, sizeIn(call, call.target));

const flatten: OverloadEstimate = (call) => {
  const [depth] = call.args;
  return (
    call.target && listCall(depth === undefined ? 1 : Number(literalInt(depth, unbounded)), sizeIn(call, call.target))
  );
};

/** All items are compared pairwise. */
function pairwise(size: Estimate, factor: number): CallEstimate {
  return listCall(factor, product(size, size));
}

const distinct: OverloadEstimate = (call) => call.target && pairwise(sizeIn(call, call.target), 2);

function sortEstimates(): { readonly [overload: string]: OverloadEstimate } {
  const rows = comparableTypes.flatMap(({ name: type }): (readonly [string, OverloadEstimate])[] => {
    const factor = type === 'string' || type === 'bytes' ? 2.1 : 2;
    return [
      [`list_${type}_sort`, (call) => call.target && pairwise(sizeIn(call, call.target), factor)],
      [
        `list_${type}_sortByAssociatedKeys`,
        (call) => call.target && call.args[0] && pairwise(sizeIn(call, call.args[0]), factor),
      ],
    ];
  });
  return Object.fromEntries(rows);
}

export const overloadEstimates: { readonly [overload: string]: OverloadEstimate } = {
  list_sets_contains_list: setsEstimate(1),
  list_sets_intersects_list: setsEstimate(1),
  list_sets_equivalent_list: setsEstimate(2),
  list_slice: slice,
  lists_range: range,
  list_reverse: reverse,
  list_flatten: flatten,
  list_flatten_int: flatten,
  list_distinct: distinct,
  ...sortEstimates(),
};
