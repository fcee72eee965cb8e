/** Cells that are answered differently from the reference, each with the reason. One that no longer differs fails the test. */
export const knownDifferences: { readonly [cell: string]: string } = {};
