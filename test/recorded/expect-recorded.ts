import { expect } from 'vitest';

/** A case that has been played again. */
export interface ReplayedCase {
  /** What the failure names. */
  readonly name: string;
  readonly answer: unknown;
  readonly recorded: unknown;
  /** Whether the answer is listed as one that differs; then it must. */
  readonly isKnown?: boolean;
}

/** Fails the test if the answer is not the recorded one, and lets it go on with the next case. */
export function expectRecorded({ name, answer, recorded, isKnown = false }: ReplayedCase): void {
  if (!isKnown) expect.soft(answer, name).toEqual(recorded);
  else expect.soft(answer, `${name} no longer differs: take it off the list`).not.toEqual(recorded);
}
