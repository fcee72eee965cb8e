import type { Int64 } from '../../../../api/values/int64.ts';
import { forbiddenField } from '../../../../api/errors/field-error.ts';
import type { Errors } from '../../../parts/rules/rules.ts';

// Cost limits of rules, in the reference's units. Costs are 64-bit and saturate.

const maxCost = 2n ** 64n - 1n;

/** Limit of one expression, multiplied by the number of its values. */
export const maxExpressionCost = 10_000_000n;

/** Limit of all expressions of a schema together. */
const maxSchemaCost = 100_000_000n;

/** Undefined means unlimited. */
export function times(cost: bigint | undefined, count: bigint | undefined): bigint | undefined {
  return cost === undefined || count === undefined ? undefined : product(cost, count);
}

export function product(cost: bigint, count: bigint): bigint {
  const total = cost * count;
  return total > maxCost ? maxCost : total;
}

export function atMost(limit: Int64 | undefined): bigint | undefined {
  if (limit === undefined) return undefined;
  return limit < 0 ? 0n : BigInt(limit);
}

export function tooDear(what: string, cost: bigint, most: bigint): string {
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${factorText(Number(cost) / Number(most))} (${advice})`;
}

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${withOneDigit(factor)}x`;
}

/**
 * Rounds half to even, unlike `toFixed`: among the halves that a double can represent exactly, only .25 rounds down.
 */
function withOneDigit(factor: number): string {
  return factor % 1 === 0.25 ? `${Math.trunc(factor)}.2` : factor.toFixed(1);
}

interface ExpressionCost {
  readonly path: string;
  readonly cost: bigint;
}

/** The total cost of a schema's expressions, and the most expensive ones. */
export class TotalCost {
  #total = 0n;
  #dearest: readonly ExpressionCost[] = [];

  add(path: string, cost: bigint): void {
    this.#total = this.#total + cost > maxCost ? maxCost : this.#total + cost;
    if (cost < maxSchemaCost / 100n) return;
    this.#dearest = [...this.#dearest, { path, cost }]
      .sort((a, b) => (a.cost === b.cost ? 0 : a.cost > b.cost ? -1 : 1))
      .slice(0, 4);
  }

  *errors(path: string): Errors {
    if (this.#total <= maxSchemaCost) return;
    for (const { path: dearest } of this.#dearest) {
      const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
      yield forbiddenField(dearest, detail);
    }
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    yield forbiddenField(path, tooDear(what, this.#total, maxSchemaCost));
  }
}
