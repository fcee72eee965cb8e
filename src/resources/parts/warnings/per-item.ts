import { type Findings, findingsOfItems } from '../../../api/errors/findings.ts';

/** Texts of Warning headers, found lazily. */
export type Warnings = Findings<string>;

/** The warnings about each item of a list. */
export function perItem<T>(items: readonly T[] | undefined, warn: (item: T, index: number) => Warnings): Warnings {
  return items === undefined ? [] : findingsOfItems(items, warn);
}
