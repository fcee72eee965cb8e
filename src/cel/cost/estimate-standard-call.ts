import type { Expr } from '../syntax/ast.ts';
import type { CallEstimate, EntrySize, EntrySizes, EstimatedCall, EstimatedNode } from './estimated-node.ts';
import { type Estimate, fixed, product, scaled, sum, union, unknownSize } from './estimates.ts';

const textFactor = 0.1;
const regexFactor = 0.25;

interface CallSite {
  readonly argCosts: readonly Estimate[];
  readonly expr: Expr;
  readonly estimator: EntrySizes;
}

/** Estimates for calls without a library estimate: by overload, with the costs of the arguments. */
export function estimateStandardCall(call: EstimatedCall, site: CallSite): CallEstimate {
  const { overload, args } = call;
  const { argCosts } = site;
  if (overload === 'conditional') return conditional(call, site);
  if (overload === 'logical_and' || overload === 'logical_or') {
    const [left] = argCosts;
    // The second operand may be skipped.
    return { cost: { min: left?.min ?? 0n, max: sum(...argCosts.slice(0, 2)).max } };
  }
  if (overload === 'add_string' || overload === 'add_bytes' || overload === 'add_list') return addition(call, site);
  const own = estimates[overload]?.(call, args) ?? { cost: fixed(1) };
  return { ...own, cost: sum(own.cost, ...argCosts) };
}

function known(node: EstimatedNode | undefined): Estimate {
  return node?.size ?? unknownSize;
}

function conditional({ args: [, yes, no] }: EstimatedCall, { argCosts, expr, estimator }: CallSite): CallEstimate {
  const [condition = fixed(0), yesCost = fixed(0), noCost = fixed(0)] = argCosts;
  const entries = joined(yes && estimator.entrySize(yes.expr), no && estimator.entrySize(no.expr));
  if (entries !== undefined) estimator.setEntrySize(expr, entries);
  return { cost: sum(condition, union(yesCost, noCost)), size: union(known(yes), known(no)) };
}

function joined(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };
}

function addition({ overload, args: [a, b] }: EstimatedCall, { argCosts, expr, estimator }: CallSite): CallEstimate {
  const size = sum(known(a), known(b));
  const entries = joined(a && estimator.entrySize(a.expr), b && estimator.entrySize(b.expr));
  if (entries !== undefined) estimator.setEntrySize(expr, entries);
  const own = overload === 'add_list' ? fixed(1) : scaled(size, textFactor);
  return { cost: sum(own, ...argCosts), size };
}

type StandardEstimate = (call: EstimatedCall, args: readonly EstimatedNode[]) => CallEstimate | undefined;

const onlyArgument: StandardEstimate = (_call, args) =>
  args.length === 1 ? { cost: scaled(known(args[0]), textFactor) } : undefined;

const comparison: StandardEstimate = (_call, [a, b]) => {
  const [left, right] = [known(a).max, known(b).max];
  const max = left < right ? left : right;
  return { cost: scaled({ min: max > 0n ? 1n : 0n, max }, textFactor) };
};

function matching(text: EstimatedNode | undefined, pattern: EstimatedNode | undefined): CallEstimate {
  const textCost = scaled(sum(known(text), fixed(1)), textFactor);
  return { cost: product(textCost, scaled(known(pattern), regexFactor)) };
}

/** Results whose length varies with the inputs. */
function resized(of: (size: Estimate) => Estimate): StandardEstimate {
  return (call, args) => {
    const cost = onlyArgument(call, args);
    return cost && { ...cost, size: of(known(args[0])) };
  };
}

const verbs = ['less', 'greater', 'less_equals', 'greater_equals'];
const comparisons = verbs.flatMap((verb) => [`${verb}_string`, `${verb}_bytes`]).concat('equals', 'not_equals');

/** Products are not saturated here: they wrap around as in the reference. */
function wrapped(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

const estimates: { readonly [overload: string]: StandardEstimate } = {
  string_format: ({ target }) => target && { cost: scaled(known(target), textFactor) },
  string_to_bytes: resized(({ min, max }) => ({ min, max: wrapped(max * 4n) })),
  bytes_to_string: resized(({ min, max }) => ({ min: min / 4n, max })),
  strings_quote: resized(({ min, max }) => ({ min: wrapped(min + 2n), max: wrapped(max * 2n + 2n) })),
  starts_with_string: onlyArgument,
  ends_with_string: onlyArgument,
  in_list: (_call, args) => (args.length === 2 ? { cost: scaled(known(args[1]), 1) } : undefined),
  matches_string: ({ target }, args) => (target && args.length === 1 ? matching(target, args[0]) : undefined),
  matches: ({ target }, args) => (target === undefined && args.length === 2 ? matching(args[0], args[1]) : undefined),
  contains_string: ({ target }, args) =>
    target && args.length === 1
      ? { cost: product(scaled(known(target), textFactor), scaled(known(args[0]), textFactor)) }
      : undefined,
  ...Object.fromEntries(comparisons.map((overload) => [overload, comparison])),
};
