import type { Finish } from '../../../../registry/strategy.ts';
import type { NumberPool } from './number-pool.ts';

export type Refusal = 'outside' | 'taken' | 'full';

interface Claim {
  readonly pool: NumberPool;
  readonly number: bigint;
}

/** What one write takes and gives back: taken at once, given back when the write has succeeded, undone when it has failed. */
export class Reservation {
  readonly #dryRun: boolean;
  readonly #taken: Claim[] = [];
  readonly #released: Claim[] = [];

  constructor(dryRun: boolean) {
    this.#dryRun = dryRun;
  }

  get dryRun(): boolean {
    return this.#dryRun;
  }

  take(pool: NumberPool, number: bigint): Refusal | undefined {
    if (!pool.includes(number)) return 'outside';
    if (this.#isTaken(pool, number)) return 'taken';
    this.#note(pool, number);
    return undefined;
  }

  /** A dry run answers `stand-in` numbers: what the write would be given is not known before. */
  takeAny(pool: NumberPool, standIn: bigint): bigint | undefined {
    if (this.#dryRun) {
      this.#taken.push({ pool, number: standIn });
      return standIn;
    }
    const number = pool.takeAny();
    if (number !== undefined) this.#taken.push({ pool, number });
    return number;
  }

  /** Given back when the write has succeeded. */
  release(pool: NumberPool, number: bigint): void {
    this.#released.push({ pool, number });
  }

  /** The highest number that was taken from a pool. */
  highest(pool: NumberPool): bigint | undefined {
    const numbers = this.#taken.filter((claim) => claim.pool === pool).map(({ number }) => number);
    return numbers.reduce<bigint | undefined>(
      (most, number) => (most === undefined || number > most ? number : most),
      undefined,
    );
  }

  readonly finish: Finish = (succeeded) => {
    if (this.#dryRun) return;
    for (const { pool, number } of succeeded ? this.#released : this.#taken) pool.release(number);
  };

  #isTaken(pool: NumberPool, number: bigint): boolean {
    return pool.isTaken(number) || this.#taken.some((claim) => claim.pool === pool && claim.number === number);
  }

  #note(pool: NumberPool, number: bigint): void {
    if (!this.#dryRun) pool.take(number);
    this.#taken.push({ pool, number });
  }
}
