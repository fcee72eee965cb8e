/** Steps with a response other than the reference's, with the reason. A step that no longer differs fails the test. */
export const knownDifferences: { readonly [step: string]: string } = {};
