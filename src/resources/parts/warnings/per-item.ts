import { type Findings, isNothing, pauseIsDue } from '../../../api/findings.ts';

/** Texts of Warning headers, as they are found. */
export type Warnings = Findings<string>;

/** What there is to warn of in each item of a list. */
export function perItem<T>(items: readonly T[] | undefined, warn: (item: T, index: number) => Warnings): Warnings {
  // Most lists that could be warned of are not there.
  return items === undefined || items.length === 0 ? [] : itemWarnings(items, warn);
}

function* itemWarnings<T>(items: readonly T[], warn: (item: T, index: number) => Warnings): Warnings {
  let index = 0;
  for (const item of items) {
    if (pauseIsDue()) yield;
    const warnings = warn(item, index);
    if (!isNothing(warnings)) yield* warnings;
    index++;
  }
}
