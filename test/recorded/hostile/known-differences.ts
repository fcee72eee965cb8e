/** Cases that differ from the reference, by key. */
export const knownDifferences: readonly { readonly cases: RegExp; readonly why: string }[] = [
  {
    cases: /\/(?:user|defaultUser) lush 9223372036854775807$/,
    why: 'owners of projected files are dropped with their gate; there jobs and refused pods show them',
  },
  {
    cases: /\/deletionGracePeriodSeconds sparse 100000000000000000000$/,
    why: 'numbers too large for their field wrap around',
  },
];
