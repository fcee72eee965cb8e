import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  subtractQuantities,
} from '../../api/quantity.ts';
import type { Amounts } from '../pod-amounts.ts';

// Arithmetic on lists of amounts, as quotas need it.

const zero = parseQuantity('0');

export function sameAmounts(a: Amounts, b: Amounts): boolean {
  return a.size === b.size && [...a].every(([name, amount]) => compareAmounts(b.get(name), amount) === 0);
}

/** Those of `names` alone. */
export function maskAmounts(amounts: Amounts, names: { has(name: string): boolean }): Amounts {
  return new Map([...amounts].filter(([name]) => names.has(name)));
}

/** What is more now than before; what is not more is zero. */
export function growthOf(now: Amounts, before: Amounts): Amounts {
  const growth = new Map<string, string>();
  for (const name of new Set([...now.keys(), ...before.keys()])) {
    const change = subtractQuantities(parseQuantity(now.get(name) ?? '0'), parseQuantity(before.get(name) ?? '0'));
    growth.set(name, compareQuantities(change, zero) > 0 ? formatQuantity(change) : '0');
  }
  return growth;
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sums = new Map(a);
  for (const [name, amount] of b) {
    const known = sums.get(name);
    const sum =
      known === undefined ? amount : formatQuantity(addQuantities(parseQuantity(known), parseQuantity(amount)));
    sums.set(name, sum);
  }
  return sums;
}

export function withoutZeros(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([, amount]) => signOf(amount) !== 0));
}

export function signOf(amount: string): number {
  return compareQuantities(parseQuantity(amount), zero);
}

/** Names of which there is more in `amounts` than `limits` allows. */
export function exceededNames(amounts: Amounts, limits: Amounts): ReadonlySet<string> {
  const exceeds = ([name, limit]: readonly [string, string]): boolean =>
    (compareAmounts(amounts.get(name), limit) ?? 0) > 0;
  return new Set([...limits].filter(exceeds).map(([name]) => name));
}

/** `cpu=1,memory=2Gi`, by name. */
export function printAmounts(amounts: Amounts): string {
  return [...amounts.keys()]
    .toSorted()
    .map((name) => `${name}=${canonicalQuantity(amounts.get(name) ?? '0')}`)
    .join(',');
}

/** Undefined when there is no `a`. */
function compareAmounts(a: string | undefined, b: string): number | undefined {
  return a === undefined ? undefined : compareQuantities(parseQuantity(a), parseQuantity(b));
}
