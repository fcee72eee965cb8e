import { compileGoRegexp, type GoRegexp, GoRegexpError } from '../../api/go/go-regexp.ts';
import type { Implementation } from '../check/declarations.ts';
import type { CallCost } from '../cost/call-cost.ts';
import { isList, itemsOf, listSize } from '../values/collections.ts';
import { tooLong } from '../values/matching.ts';
import {
  Double,
  isBytes,
  isError,
  isInt,
  noSuchOverload,
  Uint,
  UnhashableKeyError,
  type Value,
} from '../values/value.ts';
import { callWith } from './calls.ts';
import { CelProgramError, type Evaluate } from './frame.ts';
import { constantNode, type Node, otherNode } from './node.ts';
import { composed, type Slots, wrapped } from './pausing.ts';

// Constant folding while a program is built.

const conversions: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

export function isConversion(name: string): boolean {
  return conversions.has(name);
}

/** The value of a constant conversion; undefined for other calls. Throws CelProgramError when it fails. */
export function constantCall(implementation: Implementation, [arg]: readonly Node[]): Node | undefined {
  if (arg?.kind !== 'constant') return undefined;
  const value = callWith(implementation, [arg.value]);
  if (isError(value)) throw CelProgramError.of(value);
  return constantNode(value);
}

/** `x in ['a', 'b']` becomes a set lookup, which is free. Undefined unless the list consists of simple constants. */
export function membershipNode([value, list]: readonly Node[], slots: Slots): Node | undefined {
  if (list?.kind !== 'constant' || value === undefined || !isList(list.value)) return undefined;
  if (listSize(list.value) === 0) return constantNode(false);
  const members = new Set<unknown>();
  for (const item of itemsOf(list.value)) {
    const key = simpleKey(item);
    if (key === undefined) return undefined;
    members.add(key);
  }
  const isAmong =
    (evaluate: Evaluate): Evaluate =>
    (frame) => {
      const found = evaluate(frame);
      if (isError(found)) return found;
      if (isBytes(found)) throw new UnhashableKeyError('types.Bytes');
      return members.has(simpleKey(found));
    };
  return otherNode(wrapped(value.code, isAmong, slots));
}

/** Numbers that are equal have one key, whatever their type. Undefined for values that are not simple. */
function simpleKey(value: Value): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (isInt(value)) return value;
  if (value instanceof Uint) return value.value;
  if (!(value instanceof Double)) return undefined;
  const { value: double } = value;
  if (Number.isNaN(double)) return { nothing: 'equals it' };
  return Number.isInteger(double) && !Number.isSafeInteger(double) ? BigInt(double) : double + 0;
}

/** Functions whose second argument is a regular expression: compiled once if constant. */
const regexCalls: { readonly [name: string]: (pattern: GoRegexp, text: string, limit: Value | undefined) => Value } = {
  matches: (pattern, text) => pattern.matches(text) ?? tooLong,
  find: (pattern, text) => {
    const found = pattern.find(text, 1);
    return found === undefined ? tooLong : (found[0] ?? '');
  },
  findAll: (pattern, text, limit) => {
    const count = limit === undefined || !isInt(limit) || limit < 0 ? Infinity : Number(limit);
    return pattern.find(text, count) ?? tooLong;
  },
};

interface RegexCall {
  readonly args: readonly Node[];
  readonly cost: CallCost;
  readonly slots: Slots;
}

export function regexNode(name: string, { args, cost, slots }: RegexCall): Node | undefined {
  const [text, pattern, limit] = args;
  const call = Object.hasOwn(regexCalls, name) ? regexCalls[name] : undefined;
  if (call === undefined || text === undefined || pattern?.kind !== 'constant') return undefined;
  const { value: written } = pattern;
  if (typeof written !== 'string') return undefined;
  const read = compiled(written);
  const resultOf = (given: Value, count: Value | undefined): Value => {
    if (count !== undefined && isError(count)) return count;
    return typeof given === 'string' ? call(read, given, count) : noSuchOverload;
  };
  const build =
    ([textOf, limitOf]: readonly Evaluate[]): Evaluate =>
    (frame) => {
      const given = textOf === undefined ? null : textOf(frame);
      // The other arguments are not evaluated, and the call is free.
      if (isError(given)) return given;
      const count = limitOf?.(frame);
      const result = resultOf(given, count);
      frame.charge(typeof cost === 'number' ? cost : cost([given, written], result));
      return result;
    };
  const codes = limit === undefined ? [text.code] : [text.code, limit.code];
  return otherNode(composed(codes, build, slots, (value) => !isError(value)));
}

function compiled(pattern: string): GoRegexp {
  try {
    return compileGoRegexp(pattern);
  } catch (error) {
    if (error instanceof GoRegexpError) throw new CelProgramError(`error parsing regexp: ${error.message}`);
    throw error;
  }
}
