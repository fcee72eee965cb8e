/** Cases that differ from the reference, by key. */
export const knownDifferences: readonly { readonly cases: RegExp; readonly why: string }[] = [
  {
    cases: /\/(?:user|defaultUser) lush 9223372036854775807$/,
    why: 'owners of projected files are dropped with their gate; there jobs and refused pods show them',
  },
  {
    cases:
      /\/declaredFeatures\/|poddisruptionbudgets status |resourcepoolstatusrequests status |\/requests\/0\/firstAvailable\/0/,
    why: 'a rule of the type is not checked',
  },
  {
    cases: /runtimeclasses strategic-patch \/overhead\//,
    why: 'the fixed overhead of pods may be of any resource',
  },
  {
    cases: /\/generateName sparse /,
    why: 'prefixes of names are checked in another order',
  },
  {
    cases: /\/deletionGracePeriodSeconds sparse 100000000000000000000$/,
    why: 'numbers too large for their field wrap around',
  },
  {
    cases: /^v1\/pods merge-patch \/spec\/nodeSelector\/a lush null$/,
    why: 'an empty map is there and absent here in the difference of two pods',
  },
];
