import { randomInt } from 'node:crypto';

/**
 * Numbers from `first` to `last`; those below `dynamicFrom` are allocated dynamically only when the others are used up.
 */
export interface NumberRange {
  readonly first: bigint;
  readonly last: bigint;
  readonly dynamicFrom: bigint;
}

export function isInRange(number: bigint, { first, last }: NumberRange): boolean {
  return number >= first && number <= last;
}

/**
 * Every number once, in the order to try them: starting at random, so that a number just released is not reused
 * immediately.
 */
export function* candidates({ first, last, dynamicFrom }: NumberRange): Generator<bigint> {
  yield* roundFrom(dynamicFrom, last);
  yield* roundFrom(first, dynamicFrom - 1n);
}

function* roundFrom(from: bigint, to: bigint): Generator<bigint> {
  if (to < from) return;
  const size = to - from + 1n;
  const start = BigInt(randomInt(Number(size < randomLimit ? size : randomLimit)));
  for (let step = 0n; step < size; step += 1n) yield from + ((start + step) % size);
}

/** The limit of `randomInt`. */
const randomLimit = 2n ** 47n;

/** How many numbers at the start of a range are reserved for static allocation. */
export function reservedCount(size: bigint, { step, max }: { readonly step: bigint; readonly max: bigint }): bigint {
  const min = 16n;
  if (size <= min) return 0n;
  const count = size / step;
  return count < min ? min : count > max ? max : count;
}
