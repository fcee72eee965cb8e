import { type Findings, findingsOfItems } from '../../../api/findings.ts';

/** Texts of Warning headers, as they are found. */
export type Warnings = Findings<string>;

/** What there is to warn of in each item of a list. */
export function perItem<T>(items: readonly T[] | undefined, warn: (item: T, index: number) => Warnings): Warnings {
  return items === undefined ? [] : findingsOfItems(items, warn);
}
