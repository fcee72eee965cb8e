import { type Findings, pauseIsDue } from '../../api/findings.ts';

/** Texts of Warning headers, as they are found. */
export type Warnings = Findings<string>;

/** What there is to warn of in each item of a list. */
export function* perItem<T>(
  items: readonly T[] | undefined,
  warn: (item: T, index: number) => Warnings,
): Generator<string | undefined> {
  let index = 0;
  for (const item of items ?? []) {
    if (pauseIsDue()) yield;
    yield* warn(item, index);
    index++;
  }
}
