import type {
  AuthorizationAttributes,
  AuthorizationResult,
  Authorizer,
  GrantedRules,
} from '../../api/authorization.ts';
import { joinedErrors } from '../../api/error-texts.ts';
import { goQuote } from '../../api/go-quote.ts';
import { notFound } from '../../api/status-errors.ts';
import type { UserInfo } from '../../api/user.ts';
import type { RbacPolicy } from './policy.ts';
import type { BoundRole, PolicyIndex } from './policy-index.ts';
import type { PolicyBinding } from './policy-objects.ts';
import { subjectFor, subjectText } from './subject.ts';

/** `--authorization-mode=RBAC`: allows what roles bound to the user or its groups allow, and never denies. */
export function rbacAuthorizer(policy: RbacPolicy): Authorizer {
  return {
    authorize(attributes) {
      const { index } = policy;
      return index === undefined ? policy.ready().then((late) => judge(late, attributes)) : judge(index, attributes);
    },
    rulesOf: async (user, namespace) => rulesOf(await policy.ready(), user, namespace),
  };
}

function judge(index: PolicyIndex, attributes: AuthorizationAttributes): AuthorizationResult {
  const { user, namespace } = attributes;
  const bound = index.find(user, namespace, attributes);
  if (bound !== undefined) return { decision: 'allow', reason: reasonOf(bound, user) };
  const errors = index.missingFor(user, namespace).map(missingRoleText);
  return { decision: 'no-opinion', reason: errors.length === 0 ? '' : `RBAC: ${joinedErrors(errors)}` };
}

function rulesOf(index: PolicyIndex, user: UserInfo, namespace: string): GrantedRules {
  const bound = [...index.boundTo(user, namespace)];
  const rules = bound.flatMap(({ role }) => role.rules ?? []);
  return {
    resourceRules: rules.flatMap(({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }) =>
      resources.length === 0 ? [] : { verbs, apiGroups, resources, resourceNames },
    ),
    nonResourceRules: rules.flatMap(({ verbs = [], nonResourceURLs = [] }) =>
      nonResourceURLs.length === 0 ? [] : { verbs, nonResourceURLs },
    ),
    incomplete: false,
    errors: bound.flatMap(({ role, binding }) => (role.rules === undefined ? missingRoleText(binding) : [])),
  };
}

const reasons = new WeakMap<BoundRole, Map<string, string>>();

/** Cached per subject of a binding. */
function reasonOf(bound: BoundRole, user: UserInfo): string {
  const { binding } = bound;
  const subject = subjectFor(binding, user);
  const who = subject === undefined ? '' : subjectText(subject, binding.namespace);
  let known = reasons.get(bound);
  if (known === undefined) reasons.set(bound, (known = new Map()));
  const reason = known.get(who) ?? `RBAC: allowed by ${bindingText(binding)} to ${who}`;
  known.set(who, reason);
  return reason;
}

function bindingText({ namespace, name, role }: PolicyBinding): string {
  const text =
    namespace === '' ? `ClusterRoleBinding ${goQuote(name)}` : `RoleBinding ${goQuote(`${name}/${namespace}`)}`;
  return `${text} of ${role.kind ?? ''} ${goQuote(role.name ?? '')}`;
}

function missingRoleText({ role: { kind, name = '' } }: PolicyBinding): string {
  if (kind !== 'Role' && kind !== 'ClusterRole') return `unsupported role reference kind: ${goQuote(kind ?? '')}`;
  return notFound({ group: 'rbac.authorization.k8s.io', resource: kind.toLowerCase() }, name).message;
}
