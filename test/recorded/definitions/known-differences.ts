import type { PlayName } from './plays.ts';

/** Steps with another answer, and why. */
interface KnownDifference {
  readonly steps: RegExp;
  readonly reason: string;
}

export const knownDifferences: { readonly [play in PlayName]?: readonly KnownDifference[] } = {
  'failing-lives': [
    {
      steps:
        /: (?:after the move: v2: (?:list.*|one by its name|by a label|table|metadata)|list while it goes)$|^a closed port: (?:at first: v2: (?:list.*|one by its name|by a label|table|metadata)|a watch through v2|v2: (?!a dry deletion of all).*deletion (?:of|by) .*)$/,
      reason: 'After a change of the definition the reference fills its cache anew, and answers 429 until it can.',
    },
  ],
  'failing-writes': [
    {
      steps:
        /^broken, v2: (?:put without changes|put in earnest|merge in earnest|merge nothing|json patch|apply|(?:put|merge|apply) status|(?:put|merge) scale)$|^broken to v1, v2: (?:put without changes|put in earnest|put status|delete)$/,
      reason:
        'The reference converts what its cache holds to the storage version before anything else, and fails there.',
    },
  ],
  'misanswered-writes': [
    {
      steps: /^Mutating, .*, a patch of the other version: merge as v3$/,
      reason: 'A field that the schema lacks does not raise the generation.',
    },
    {
      steps: /^Mutating, .*, a patch of its (?:kind: merge the status as v2|version: (?:create|merge .*))$/,
      reason: 'A webhook may not change the kind or version of an object; the reference overlooks some such changes.',
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
  ],
};
