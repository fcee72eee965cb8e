/** Steps with a response other than the reference's, with the reason. A step that no longer differs fails the test. */
export const knownDifferences: { readonly [step: string]: string } = {
  'admission-classes: empty overhead without a class':
    'Maps without entries are dropped when an object is read; the reference tells an empty overhead from none.',
};
