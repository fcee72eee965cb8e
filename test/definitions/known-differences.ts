import type { PlayName } from './plays.ts';

/** Steps with another answer, and why. */
interface KnownDifference {
  readonly steps: RegExp;
  readonly reason: string;
}

export const knownDifferences: { readonly [play in PlayName]?: readonly KnownDifference[] } = {
  'failing-writes': [
    {
      steps:
        /^broken, v2: (?:put without changes|put in earnest|merge in earnest|merge nothing|json patch|apply|(?:put|merge|apply) status|(?:put|merge) scale)$|^broken to v1, v2: (?:put without changes|put in earnest|put status|delete)$/,
      reason:
        'The reference converts what its cache holds to the storage version before anything else, and fails there.',
    },
  ],
  'reviewed-writes': [
    {
      steps: /^webhooks, (?:lossy, v[123]|misfitting, v2): put the scale$/,
      reason: 'Mutating webhooks of the reference see -2147483648 for replicas that are not there.',
    },
    {
      steps: /^webhooks, misfitting, (?:v[123]: (?:create .*|apply.*)|v2: (?:merge the status|delete.*))$/,
      reason: 'Webhooks see converted objects without the fields that their schema lacks.',
    },
    {
      steps: /^webhooks, broken to v2, v2: delete all, dry$/,
      reason: 'A deletion lists what is stored, and fails at the first object.',
    },
  ],
};
