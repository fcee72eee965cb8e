const outside = 'Times that leave the years 0 to 9999 in UTC are refused, since they could not be read again.';

/** Bodies with a response other than the reference's, with the reason. One that no longer differs fails the test. */
export const knownDifferences: { readonly [name: string]: string } = {
  'configmap :"a","creationTimestamp":§}} = "0000-01-01T00:00:00+01:00"': outside,
  'configmap :"a","creationTimestamp":§}} = "9999-12-31T23:59:59-01:00"': outside,
};
