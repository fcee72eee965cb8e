import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../../api/contracts/authorization.ts';
import { withoutEnd } from '../../api/text/text-edges.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { AbacPolicy } from './policy-file.ts';

const allowed: AuthorizationResult = { decision: 'allow', reason: '' };
const unmatched: AuthorizationResult = { decision: 'no-opinion', reason: 'No policy matched.' };
const readVerbs = ['get', 'list', 'watch'] as const;
const reading: ReadonlySet<string> = new Set(readVerbs);

/** `--authorization-mode=ABAC`: allows what any policy allows. Policies are indexed by subject. */
export function abacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  const byUser = Map.groupBy(
    policies.filter(({ user }) => user !== ''),
    ({ user }) => user,
  );
  const byGroup = Map.groupBy(
    policies.filter(({ user, group }) => user === '' && group !== ''),
    ({ group }) => group,
  );
  const policiesOf = function* ({ name, groups }: UserInfo): Generator<AbacPolicy> {
    for (const policy of byUser.get(name) ?? []) if (policy.group === '' || groups.includes(policy.group)) yield policy;
    for (const group of groups) yield* byGroup.get(group) ?? [];
  };
  return {
    authorize(attributes) {
      for (const policy of policiesOf(attributes.user)) if (matches(policy, attributes)) return allowed;
      return unmatched;
    },
    rulesOf(user, namespace) {
      const held = [...policiesOf(user)].filter((policy) => fits(policy.namespace, namespace));
      return {
        resourceRules: held.flatMap(({ resource, apiGroup, readonly }) =>
          resource === ''
            ? []
            : { verbs: verbsOf(readonly), apiGroups: [apiGroup], resources: [resource], resourceNames: [] },
        ),
        nonResourceRules: held.flatMap(({ nonResourcePath, readonly }) =>
          nonResourcePath === '' ? [] : { verbs: verbsOf(readonly), nonResourceURLs: [nonResourcePath] },
        ),
        incomplete: false,
        errors: [],
      };
    },
  };
}

function verbsOf(readonly: boolean): readonly string[] {
  return readonly ? readVerbs : ['*'];
}

function matches(policy: AbacPolicy, attributes: AuthorizationAttributes): boolean {
  const { verb, isResourceRequest, namespace, resource, group, path } = attributes;
  if (policy.readonly && !reading.has(verb)) return false;
  return isResourceRequest
    ? fits(policy.namespace, namespace) && fits(policy.resource, resource) && fits(policy.apiGroup, group)
    : fitsPath(policy.nonResourcePath, path);
}

function fits(pattern: string, value: string): boolean {
  return pattern === '*' || pattern === value;
}

function fitsPath(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(withoutEnd(pattern, '*')));
}
