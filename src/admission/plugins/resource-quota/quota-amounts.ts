import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../../api/values/quantity.ts';
import type { Amounts } from '../parts/pod-amounts.ts';

// Arithmetic on lists of amounts, as quotas need it.

const zero = parseQuantity('0');
const [digitOne, digitNine] = [0x31, 0x39];

export function sameAmounts(a: Amounts, b: Amounts): boolean {
  return a.size === b.size && [...a].every(([name, amount]) => compareAmounts(b.get(name), amount) === 0);
}

/** The amounts of `names` alone. */
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

/** Sums up amounts of many objects. */
export class AmountSum {
  readonly #sums: Map<string, Quantity>;

  /** Counts the amounts of these names alone. */
  constructor(names: Iterable<string>) {
    this.#sums = new Map(Array.from(names, (name) => [name, zero]));
  }

  add(amounts: Amounts): void {
    for (const [name, sum] of this.#sums) {
      const amount = amounts.get(name);
      if (amount !== undefined) this.#sums.set(name, addQuantities(sum, parseQuantity(amount)));
    }
  }

  get amounts(): Amounts {
    return new Map(Array.from(this.#sums, ([name, sum]) => [name, formatQuantity(sum)]));
  }
}

export function withoutZeros(amounts: Amounts): Amounts {
  if (!hasSign(amounts, 0)) return amounts;
  return new Map([...amounts].filter(([, amount]) => signOf(amount) !== 0));
}

/** Whether one of the amounts has this sign: 1, 0 or -1. */
export function hasSign(amounts: Amounts, sign: number): boolean {
  for (const amount of amounts.values()) if (signOf(amount) === sign) return true;
  return false;
}

export function signOf(amount: string): number {
  const first = amount.charCodeAt(0);
  if (first >= digitOne && first <= digitNine) return 1;
  return compareQuantities(parseQuantity(amount), zero);
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
