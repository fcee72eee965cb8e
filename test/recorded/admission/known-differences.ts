/**
 * Steps that are answered differently from the reference, each with the reason. A step that no longer differs fails the
 * test.
 */
export const knownDifferences: { readonly [step: string]: string } = {};
