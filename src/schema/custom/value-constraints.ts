import { floatText } from '../../api/go-print.ts';
import { goRegexpMatches } from '../../api/go-regexp.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import type { ValueDemands } from '../schema.ts';
import { type ValueProblem, Verdict } from './value-problems.ts';

// Constraints on numbers, strings, lists and objects besides their types.

type Numeric = number | bigint;

export function numberVerdict(demands: ValueDemands, value: Numeric, path: string): Verdict {
  const verdict = new Verdict();
  const { types, format, multipleOf } = demands;
  const type = types.length === 1 ? (types[0] ?? '') : '';
  const range = { type, format: type === 'integer' || type === 'number' ? format : '', path };
  verdict.add(...rangeProblems(value, 'Checked', range));
  const bounds = new Verdict();
  if (multipleOf !== undefined) {
    const outside = rangeProblems(multipleOf, 'MultipleOf', range);
    const factor = outside.length === 0 && isInteger(value) ? Math.trunc(multipleOf) : multipleOf;
    bounds.add(...outside, ...multipleProblems(value, factor, path));
  }
  for (const limit of limitsOf(demands)) {
    const outside = rangeProblems(limit.value, `${limit.name} boundary`, range);
    bounds.add(...outside);
    // Integers are compared with the integer part of a limit, if the type can represent it; otherwise as doubles.
    const isExact = outside.length === 0 && isInteger(value);
    const against = isExact ? Math.trunc(limit.value) : limit.value;
    if (!limit.fails(value, against)) continue;
    const bound = isExact ? String(against) : floatText(against);
    const problem = constraint(value, `${path} in body should be ${limit.words} ${bound}`, path);
    bounds.add(isExact ? problem : { ...problem, shown: floatText(Number(value)) });
  }
  verdict.merge(bounds);
  verdict.matches += 1;
  return verdict;
}

function constraint(value: JsonValue, message: string, path: string): ValueProblem {
  return { kind: 'invalid', path, message, value };
}

const isInteger = (value: Numeric): boolean => typeof value === 'bigint' || Number.isInteger(value);

interface Limit {
  readonly name: 'Minimum' | 'Maximum';
  readonly value: number;
  /** The required relation. */
  readonly words: string;
  fails(value: Numeric, limit: number): boolean;
}

function limitsOf({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: ValueDemands): Limit[] {
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
    return isInteger(value) && BigInt.asIntN(bits, BigInt(value)) === BigInt(value);
  }
  return format !== 'float' || Math.abs(Number(value)) <= 3.4028234663852886e38;
}

function multipleProblems(value: Numeric, factor: number, path: string): ValueProblem[] {
  if (factor <= 0) {
    const message = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
    return [constraint(factor, message, path)];
  }
  const isMultiple =
    isInteger(value) && isInteger(factor)
      ? BigInt(value) % BigInt(factor) === 0n
      : isNearInteger(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor);
  return isMultiple ? [] : [constraint(value, `${path} in body should be a multiple of ${factor}`, path)];
}

function isNearInteger(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= 1e-9 * Math.max(1, Math.abs(value));
}

/** The first error of a string. */
export function textVerdict({ maxLength, minLength, pattern }: ValueDemands, value: string, path: string): Verdict {
  const verdict = new Verdict();
  const length = [...value].length;
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
export function sizeVerdict({ minItems, maxItems }: ValueDemands, items: readonly JsonValue[], path: string): Verdict {
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
  { minProperties, maxProperties }: ValueDemands,
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
