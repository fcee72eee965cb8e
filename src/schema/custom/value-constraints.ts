import { floatText } from '../../api/json/go-print.ts';
import { goRegexpMatches } from '../../api/go/go-regexp.ts';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { spelledNumber } from '../../api/json/spelled-numbers.ts';
import type { ValueConstraints } from '../schema.ts';
import { type ValueProblem, Verdict } from './value-problems.ts';

// Constraints on numbers, strings, lists and objects besides their types.

type Numeric = number | bigint;

/** `isFloat`: the value is a floating-point number even if it is whole. */
export function numberVerdict(
  constraints: ValueConstraints,
  value: Numeric,
  { path, isFloat = false }: { readonly path: string; readonly isFloat?: boolean },
): Verdict {
  const verdict = new Verdict();
  const isWhole = isInteger(value) && !isFloat;
  const { types, format, multipleOf } = constraints;
  const type = types.length === 1 ? (types[0] ?? '') : '';
  const range = { type, format: type === 'integer' || type === 'number' ? format : '', path };
  verdict.add(...rangeProblems(value, 'Checked', range));
  const bounds = new Verdict();
  if (multipleOf !== undefined) {
    const outside = rangeProblems(multipleOf, 'MultipleOf', range);
    const isExact = outside.length === 0 && isWhole;
    const isMultiple = isExact ? isMultipleOfInteger : isMultipleOfFloat;
    const shown = isExact ? value : shownFloat(value);
    const factor = isExact ? int64Of(multipleOf) : multipleOf;
    bounds.add(...outside, ...multipleProblems(value, factor, { path, shown, isMultiple }));
  }
  for (const limit of limitsOf(constraints)) {
    const outside = rangeProblems(limit.value, `${limit.name} boundary`, range);
    bounds.add(...outside);
    // Integers are compared with the integer part of a limit, if the type can represent it; otherwise as doubles.
    const isExact = outside.length === 0 && isWhole;
    const against = isExact ? int64Of(limit.value) : limit.value;
    if (!limit.fails(value, against)) continue;
    const bound = isExact ? String(against) : floatText(limit.value);
    const shown = isExact ? value : shownFloat(value);
    bounds.add(constraint(shown, `${path} in body should be ${limit.words} ${bound}`, path));
  }
  verdict.merge(bounds);
  verdict.matches += 1;
  return verdict;
}

/** A number in an error, as Go prints floats. */
export function shownFloat(value: Numeric): JsonValue {
  return spelledNumber(floatText(Number(value)));
}

function constraint(value: JsonValue, message: string, path: string): ValueProblem {
  return { kind: 'invalid', path, message, value };
}

/** Whether Go has an integer for it, if it was not written as a float. */
const isInteger = (value: Numeric): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

interface Limit {
  readonly name: 'Minimum' | 'Maximum';
  readonly value: number;
  /** The required relation. */
  readonly words: string;
  fails(value: Numeric, limit: Numeric): boolean;
}

function limitsOf({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: ValueConstraints): Limit[] {
  const limits: Limit[] = [];
  if (minimum !== undefined) {
    limits.push(
      exclusiveMinimum
        ? { name: 'Minimum', value: minimum, words: 'greater than', fails: (value, limit) => value <= limit }
        : {
            name: 'Minimum',
            value: minimum,
            words: 'greater than or equal to',
            fails: (value, limit) => value < limit,
          },
    );
  }
  if (maximum !== undefined) {
    limits.push(
      exclusiveMaximum
        ? { name: 'Maximum', value: maximum, words: 'less than', fails: (value, limit) => value >= limit }
        : { name: 'Maximum', value: maximum, words: 'less than or equal to', fails: (value, limit) => value > limit },
    );
  }
  return limits;
}

interface Range {
  readonly type: string;
  readonly format: string;
  readonly path: string;
}

/** Numbers out of range for the type or format. */
function rangeProblems(value: Numeric, what: string, { type, format, path }: Range): ValueProblem[] {
  if (fits(value, type, format)) return [];
  const named = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
  return [{ kind: 'general', path, message: `${what} value must be of type ${named} in ${path}` }];
}

function fits(value: Numeric, type: string, format: string): boolean {
  if (type === 'integer') {
    const bits = format === 'int32' ? 32 : 64;
    if (typeof value === 'number' && (!Number.isInteger(value) || Math.abs(value) >= 2 ** 64)) return false;
    // Go reads the shortest digits of a float again: those of the least integer are out of range.
    const exact = BigInt(String(value));
    return BigInt.asIntN(bits, exact) === exact;
  }
  return format !== 'float' || Math.abs(Number(value)) <= 3.4028234663852886e38;
}

/** The whole part of a limit; one beyond 64 bits becomes the smallest integer. */
function int64Of(limit: number): Numeric {
  const whole = Math.trunc(limit);
  if (Number.isSafeInteger(whole)) return whole;
  const exact = BigInt(whole);
  return exact === BigInt.asIntN(64, exact) ? exact : smallestInt64;
}

const smallestInt64 = -(2n ** 63n);

interface MultipleCheck {
  readonly path: string;
  /** The value in errors. */
  readonly shown: JsonValue;
  readonly isMultiple: (value: Numeric, factor: Numeric) => boolean;
}

function multipleProblems(value: Numeric, factor: Numeric, { path, shown, isMultiple }: MultipleCheck): ValueProblem[] {
  if (factor <= 0) {
    const message = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
    return [constraint(factor, message, path)];
  }
  if (isMultiple(value, factor)) return [];
  return [constraint(shown, `${path} in body should be a multiple of ${factor}`, path)];
}

function isMultipleOfInteger(value: Numeric, factor: Numeric): boolean {
  return BigInt(value) % BigInt(factor) === 0n;
}

function isMultipleOfFloat(value: Numeric, factor: Numeric): boolean {
  const divisor = Number(factor);
  return isNearInteger(divisor < 1 ? (1 / divisor) * Number(value) : Number(value) / divisor);
}

/** Beyond 2^53 doubles are not exact, so they are no integers; near zero only zero is. */
function isNearInteger(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.round(value);
  return value === whole || Math.abs(value - whole) < 1e-9 * Math.abs(whole);
}

/** The first error of a string. */
export function textVerdict({ maxLength, minLength, pattern }: ValueConstraints, value: string, path: string): Verdict {
  const verdict = new Verdict();
  // Characters are counted one by one: only where a number is demanded.
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength) {
    const message = `${path} in body should be at most ${maxLength} chars long`;
    return verdict.add({ kind: 'too-long', path, message, max: maxLength });
  }
  if (minLength !== undefined && length < minLength) {
    return verdict.add(constraint(value, `${path} in body should be at least ${minLength} chars long`, path));
  }
  const matches = pattern === '' || goRegexpMatches(pattern, value);
  if (matches === false) verdict.add(constraint(value, `${path} in body should match '${pattern}'`, path));
  if (matches === undefined) {
    verdict.add(constraint(value, `${path} in body is too long to be matched with '${pattern}'`, path));
  }
  return verdict;
}

/** Errors in a list's length. */
export function sizeVerdict(
  { minItems, maxItems }: ValueConstraints,
  items: readonly JsonValue[],
  path: string,
): Verdict {
  const verdict = new Verdict();
  const { length } = items;
  if (minItems !== undefined && length < minItems) {
    verdict.add(constraint(length, `${path} in body should have at least ${minItems} items`, path));
  }
  if (maxItems !== undefined && length > maxItems) {
    const message = `${path} in body should have at most ${maxItems} items`;
    verdict.add({ kind: 'too-many', path, message, actual: length, max: maxItems });
  }
  return verdict;
}

/** Errors in an object's number of properties. */
export function countVerdict(
  { minProperties, maxProperties }: ValueConstraints,
  object: JsonObject,
  path: string,
): Verdict {
  const verdict = new Verdict();
  const { length } = Object.keys(object);
  if (minProperties !== undefined && length < minProperties) {
    verdict.add(constraint(length, `${path} in body should have at least ${minProperties} properties`, path));
  }
  if (maxProperties !== undefined && length > maxProperties) {
    const message = `${path} in body should have at most ${maxProperties} properties`;
    verdict.add({ kind: 'too-many', path, message, actual: length, max: maxProperties });
  }
  return verdict;
}
