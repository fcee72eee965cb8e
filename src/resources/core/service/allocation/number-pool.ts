import { randomInt } from 'node:crypto';

/** Numbers from `first` to `last` that are given out once each. Those below `dynamicFrom` are given unasked only when nothing else is left. */
export interface PoolBounds {
  readonly first: bigint;
  readonly last: bigint;
  readonly dynamicFrom: bigint;
}

/** Which numbers of a range are taken. */
export class NumberPool {
  readonly bounds: PoolBounds;
  readonly #taken = new Set<bigint>();

  constructor(bounds: PoolBounds) {
    this.bounds = bounds;
  }

  includes(number: bigint): boolean {
    return number >= this.bounds.first && number <= this.bounds.last;
  }

  isTaken(number: bigint): boolean {
    return this.#taken.has(number);
  }

  take(number: bigint): void {
    if (this.includes(number)) this.#taken.add(number);
  }

  release(number: bigint): void {
    this.#taken.delete(number);
  }

  /** Takes a free number; undefined when all are taken. */
  takeAny(): bigint | undefined {
    const { first, last, dynamicFrom } = this.bounds;
    const found = this.#findFree(dynamicFrom, last) ?? this.#findFree(first, dynamicFrom - 1n);
    if (found !== undefined) this.#taken.add(found);
    return found;
  }

  /** From a random place on, so that a number just released is not given out again at once. */
  #findFree(from: bigint, to: bigint): bigint | undefined {
    if (to < from) return undefined;
    const size = to - from + 1n;
    const start = BigInt(randomInt(Number(size < randomLimit ? size : randomLimit)));
    // One more step than numbers are taken finds a free one, if there is any.
    const taken = BigInt(this.#taken.size);
    const steps = size < taken + 1n ? size : taken + 1n;
    for (let step = 0n; step < steps; step += 1n) {
      const number = from + ((start + step) % size);
      if (!this.#taken.has(number)) return number;
    }
    return undefined;
  }
}

/** What `randomInt` can tell apart. */
const randomLimit = 2n ** 47n;

/** How many numbers at the start of a range are kept for those who ask for one by its number. */
export function reservedCount(size: bigint, { step, max }: { readonly step: bigint; readonly max: bigint }): bigint {
  const min = 16n;
  if (size <= min) return 0n;
  const count = size / step;
  return count < min ? min : count > max ? max : count;
}
