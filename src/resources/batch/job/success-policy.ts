import {
  childPath,
  invalidField,
  keyPath,
  requiredField,
  tooLongField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import type { JobSpec, SuccessPolicy, SuccessPolicyRule } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { type Errors, nonNegative } from '../../parts/rules/rules.ts';

class IndexesError extends Error {
  override readonly name = 'IndexesError';
}

/** Number of indexes in a string such as `0,2-4`. Throws an IndexesError. */
function countIndexes(text: string, completions: number): number {
  let last = -1;
  let total = 0;
  if (text === '') return 0;
  for (const interval of text.split(',')) {
    const parts = interval.split('-');
    if (parts.length > 2) {
      const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
      throw new IndexesError(`the fragment ${goQuote(interval)} ${rule}`);
    }
    const [from = 0, to = from] = parts.map((part) => parseIndex(part, completions));
    if (parts.length === 2 && from >= to)
      throw new IndexesError(`non-increasing order, previous: ${from}, current: ${to}`);
    if (last >= from) throw new IndexesError(`non-increasing order, previous: ${last}, current: ${from}`);
    total += to - from + 1;
    last = to;
  }
  return total;
}

function parseIndex(text: string, completions: number): number {
  if (!/^[+-]?\d+$/.test(text)) throw new IndexesError(`cannot convert string to integer for index: ${goQuote(text)}`);
  if (Number(text) >= completions) throw new IndexesError(`too large index: ${goQuote(text)}`);
  return Number(text);
}

export function* successPolicy({ completions = 0 }: JobSpec, { rules = [] }: SuccessPolicy, path: string): Errors {
  const rulesPath = childPath(path, 'rules');
  if (rules.length === 0) {
    yield requiredField(rulesPath, 'at least one rules must be specified when the successPolicy is specified');
  }
  if (rules.length > 20) yield tooManyField(rulesPath, rules.length, 20);
  for (const [index, rule] of rules.entries()) {
    yield* successRule(rule, completions, keyPath(rulesPath, index));
  }
}

function* successRule(rule: SuccessPolicyRule, completions: number, path: string): Errors {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  if (count === undefined && indexes === undefined) {
    yield requiredField(path, 'at least one of succeededCount or succeededIndexes must be specified');
  }
  let total = 0;
  if (indexes !== undefined) {
    const indexesPath = childPath(path, 'succeededIndexes');
    if (Buffer.byteLength(indexes) > 65536) yield tooLongField(indexesPath, 65536);
    try {
      total = countIndexes(indexes, completions);
    } catch (error) {
      if (!(error instanceof IndexesError)) throw error;
      yield invalidField(indexesPath, indexes, `error parsing succeededIndexes: ${error.message}`);
    }
  }
  if (count === undefined) return;
  const countPath = childPath(path, 'succeededCount');
  yield* nonNegative(count, countPath);
  if (count > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    yield invalidField(countPath, count, detail);
  }
  if (indexes !== undefined && count > total) {
    const detail = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`;
    yield invalidField(countPath, count, detail);
  }
}
