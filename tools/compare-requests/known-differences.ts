/** Steps with an answer other than the reference's, and why. */
export interface KnownDifference {
  readonly steps: RegExp;
  readonly reason: string;
}

/** A step of these that does not differ fails the test. */
export const knownDifferences: readonly KnownDifference[] = [];

/** Why a step (`SCRIPT: STEP`) differs; undefined if it should not. */
export function knownDifference(step: string): string | undefined {
  return knownDifferences.find(({ steps }) => steps.test(step))?.reason;
}
