/** Bodies with a response other than the reference's, with the reason. One that no longer differs fails the test. */
export const knownDifferences: { readonly [name: string]: string } = {};
