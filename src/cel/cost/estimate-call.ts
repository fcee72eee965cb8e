import { operators } from '../syntax/ast.ts';
import { elementOf, isSameType } from '../types/cel-type.ts';
import { type CallEstimate, type EstimatedCall, type EstimatedNode, sizeOfNode } from './estimated-node.ts';
import { type Estimate, fixed, product, scaled, sum, unbounded, union } from './estimates.ts';
import { nominalFunctions } from './nominal-functions.ts';
import { overloadEstimates } from './overload-estimates.ts';

const textFactor = 0.1;
const regexFactor = 0.25;
const one = fixed(1);

/** Estimates for calls of library functions, without the costs of the arguments; undefined for standard functions. */
export function estimateCall(call: EstimatedCall): CallEstimate | undefined {
  const byOverload = overloadEstimates[call.overload]?.(call);
  if (byOverload !== undefined) return byOverload;
  return Object.hasOwn(functions, call.function) ? functions[call.function]?.(call) : undefined;
}

type FunctionEstimate = (call: EstimatedCall) => CallEstimate | undefined;

const nominal: FunctionEstimate = () => ({ cost: one });

function sizeIn(call: EstimatedCall, node: EstimatedNode): Estimate {
  return sizeOfNode(node, call.declaredSize);
}

/** The elements of a list, whose size a schema may bound. */
function itemOf({ type, path, expr }: EstimatedNode): EstimatedNode | undefined {
  if (type.params.length === 0) return undefined;
  return { type: elementOf(type), path: path && [...path, '@items'], expr, size: undefined };
}

const walk: FunctionEstimate = (call) => {
  const { target } = call;
  if (target === undefined) return undefined;
  const size = sizeIn(call, target);
  const item = itemOf(target);
  if (item === undefined) {
    return { cost: call.function === 'includes' ? product(size, one) : scaled(size, textFactor) };
  }
  const isText = item.type.kind === 'string' || item.type.kind === 'bytes';
  return { cost: product(size, isText ? sum(one, scaled(sizeIn(call, item), textFactor)) : one) };
};

/** Traverses the only argument; the result has the same length. */
const ofOne: FunctionEstimate = (call) => {
  const [arg] = call.args;
  if (arg === undefined || call.args.length !== 1) return undefined;
  const size = sizeIn(call, arg);
  return { cost: scaled(size, textFactor), size };
};

const ofTarget: FunctionEstimate = (call) => {
  if (call.target === undefined) return undefined;
  const size = sizeIn(call, call.target);
  return { cost: scaled(size, textFactor), size };
};

function ofFirst(times: number): FunctionEstimate {
  return (call) => {
    const [arg] = call.args;
    return arg && { cost: scaled(sizeIn(call, arg), times * textFactor) };
  };
}

const replace: FunctionEstimate = (call) => {
  const { target, args } = call;
  const [old, fresh] = args;
  if (target === undefined || old === undefined || fresh === undefined) return undefined;
  const [size, oldSize, freshSize] = [sizeIn(call, target), sizeIn(call, old), sizeIn(call, fresh)];
  const longest = mostReplaced(size, oldSize, freshSize);
  const shortest = leastReplaced(size, oldSize, freshSize);
  const counts = { min: shortest.count, max: longest.count };
  const kept = { min: shortest.kept, max: longest.kept };
  return { cost: scaled(size, 2 * textFactor), size: sum(product(counts, freshSize), kept) };
};

interface Replaced {
  readonly count: bigint;
  readonly kept: bigint;
}

/** The smallest possible matches are replaced by the largest possible replacement. */
function mostReplaced(size: Estimate, old: Estimate, fresh: Estimate): Replaced {
  // An empty match before each character and at the end.
  if (old.min === 0n) return { count: size.max < unbounded ? size.max + 1n : size.max, kept: size.max };
  if (fresh.max <= old.min) return { count: 0n, kept: size.max };
  return { count: BigInt(Math.ceil(Number(size.max) / Number(old.min))), kept: 0n };
}

function leastReplaced(size: Estimate, old: Estimate, fresh: Estimate): Replaced {
  if (old.max === 0n) return { count: size.min < unbounded ? size.min + 1n : size.min, kept: size.min };
  if (old.max <= fresh.min) return { count: 0n, kept: size.min };
  return { count: BigInt(Math.ceil(Number(size.min) / Number(old.max))), kept: 0n };
}

const split: FunctionEstimate = (call) => {
  const { target, args } = call;
  if (target === undefined) return undefined;
  const size = sizeIn(call, target);
  const limit = args[1]?.expr.kind === 'literal' ? args[1].expr.value : undefined;
  const isInteger = typeof limit === 'number' || typeof limit === 'bigint';
  const max = isInteger ? BigInt.asUintN(64, BigInt(limit)) : size.max;
  return { cost: scaled(size, 2 * textFactor), size: { min: 0n, max } };
};

const join: FunctionEstimate = (call) => {
  const { target, args } = call;
  if (target === undefined) return undefined;
  const count = sizeIn(call, target);
  const item = itemOf(target);
  let size = item === undefined ? fixed(0) : product(count, sizeIn(call, item));
  if (args[0] !== undefined) {
    const separators = { min: count.min > 0n ? count.min - 1n : 0n, max: count.max > 0n ? count.max - 1n : 0n };
    size = sum(size, product(sizeIn(call, args[0]), separators));
  }
  return { cost: scaled(size, textFactor), size };
};

const find: FunctionEstimate = (call) => {
  const { target, args } = call;
  if (target === undefined || args[0] === undefined) return undefined;
  const size = sizeIn(call, target);
  const text = scaled(sum(size, one), textFactor);
  const pattern = scaled(sizeIn(call, args[0]), regexFactor);
  return { cost: product(text, pattern), size: { min: 0n, max: size.max } };
};

const addressBytes: Estimate = { min: 4n, max: 16n };
const addressComparison = scaled(sum(addressBytes, addressBytes), textFactor);

function contains(base: Estimate, textOverload: string): FunctionEstimate {
  return (call) => {
    const [other] = call.args;
    if (other === undefined) return undefined;
    const parsing = call.overload === textOverload ? scaled(sizeIn(call, other), textFactor) : fixed(0);
    return { cost: sum(base, parsing) };
  };
}

const selector: FunctionEstimate = (call) => {
  const [arg] = call.args;
  if (arg === undefined || call.args.length !== 1) return undefined;
  const size = sizeIn(call, arg);
  return { cost: sum(fixed(10), scaled(size, textFactor), scaled(scaled(size, 0.5), 50)) };
};

const validate: FunctionEstimate = (call) => {
  const [text] = call.args;
  return text && { cost: scaled(scaled(sizeIn(call, text), textFactor), 128 * regexFactor) };
};

/** Values of library types compare in constant time. */
const equality: FunctionEstimate = ({ args: [a, b] }) => {
  if (a === undefined || b === undefined || !isSameType(a.type, b.type)) return undefined;
  const { kind, name } = a.type;
  if (kind === 'opaque') return name === 'net.IP' || name === 'net.CIDR' ? { cost: one } : undefined;
  if (kind !== 'struct') return undefined;
  if (name === 'kubernetes.NamedFormat') return { cost: scaled({ min: 1n, max: 64n }, textFactor) };
  if (name === 'kubernetes.URL') {
    const size = b.size === undefined ? one : union(b.size, b.size);
    return { cost: scaled({ min: 1n, max: size.max }, textFactor) };
  }
  return simpleStructs.has(name) ? { cost: one } : undefined;
};

const simpleStructs: ReadonlySet<string> = new Set([
  'kubernetes.Quantity',
  'kubernetes.Semver',
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map(
    (name) => `kubernetes.authorization.${name}`,
  ),
]);

function rows(names: readonly string[], estimate: FunctionEstimate): { readonly [name: string]: FunctionEstimate } {
  return Object.fromEntries(names.map((name) => [name, estimate]));
}

const ofText = ofFirst(1);

const functions: { readonly [name: string]: FunctionEstimate } = {
  ...rows(nominalFunctions, nominal),
  check: () => ({ cost: fixed(350_000) }),
  fieldSelector: selector,
  labelSelector: selector,
  ...rows(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf', 'includes'], walk),
  ...rows(['url', 'jsonpatch.escapeKey'], ofOne),
  ...rows(['lowerAscii', 'upperAscii', 'substring', 'trim'], ofTarget),
  replace,
  split,
  join,
  ...rows(['find', 'findAll'], find),
  ...rows(['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'], ofText),
  ip: (call) => (call.overload === 'cidr_ip' ? { cost: one } : ofText(call)),
  'ip.isCanonical': ofFirst(2),
  containsIP: contains(addressComparison, 'cidr_contains_ip_string'),
  containsCIDR: contains(sum(addressComparison, scaled(addressBytes, textFactor), one), 'cidr_contains_cidr_string'),
  validate,
  [operators.equals]: equality,
};
