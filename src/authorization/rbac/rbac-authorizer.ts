import type {
  AuthorizationAttributes,
  AuthorizationResult,
  Authorizer,
  GrantedRules,
} from '../../api/contracts/authorization.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { notFound } from '../../api/errors/status-errors.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { Subject } from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import type { RbacPolicy } from './policy.ts';
import type { PolicyIndex } from './policy-index.ts';
import type { PolicyBinding } from './policy-objects.ts';
import { matches, type SubjectKey, subjectKey, subjectText } from './subject.ts';

/** `--authorization-mode=RBAC`: allows what roles bound to the user or its groups allow, and never denies. */
export function rbacAuthorizer(policy: RbacPolicy): Authorizer {
  return {
    authorize(attributes) {
      const { index } = policy;
      return index === undefined
        ? policy.ready().then((late) => authorizeBy(late, attributes))
        : authorizeBy(index, attributes);
    },
    rulesOf: async (user, namespace) => rulesOf(await policy.ready(), user, namespace),
  };
}

function authorizeBy(index: PolicyIndex, attributes: AuthorizationAttributes): AuthorizationResult {
  const { user, namespace } = attributes;
  const bound = index.find(user, namespace, attributes);
  if (bound !== undefined) return { decision: 'allow', reason: reasonOf(bound.binding, user) };
  const missing = index.missingFor(user, namespace);
  const reason = missing.length === 0 ? '' : `RBAC: ${joinedErrors(missing.map(missingRoleText))}`;
  return { decision: 'no-opinion', reason };
}

function rulesOf(index: PolicyIndex, user: UserInfo, namespace: string): GrantedRules {
  const resourceRules: GrantedRules['resourceRules'][number][] = [];
  const nonResourceRules: GrantedRules['nonResourceRules'][number][] = [];
  const errors: string[] = [];
  for (const { role, binding } of index.boundTo(user, namespace)) {
    if (role.rules === undefined) errors.push(missingRoleText(binding));
    for (const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } of role.rules ??
      []) {
      if (resources.length > 0) resourceRules.push({ verbs, apiGroups, resources, resourceNames });
      if (nonResourceURLs.length > 0) nonResourceRules.push({ verbs, nonResourceURLs });
    }
  }
  return { resourceRules, nonResourceRules, incomplete: false, errors };
}

/** A subject of a binding, and the reason that it gives. */
class Grantee {
  readonly #subject: Subject;
  readonly #binding: PolicyBinding;
  readonly #key: SubjectKey | undefined;
  #reason: string | undefined;

  constructor(subject: Subject, binding: PolicyBinding) {
    this.#subject = subject;
    this.#binding = binding;
    this.#key = subjectKey(subject, binding.namespace);
  }

  matches(user: UserInfo): boolean {
    return this.#key !== undefined && matches(this.#key, user);
  }

  get reason(): string {
    const binding = this.#binding;
    const subject = (): string => subjectText(this.#subject, binding.namespace);
    return (this.#reason ??= `RBAC: allowed by ${bindingText(binding)} to ${subject()}`);
  }
}

const grantees = new WeakMap<PolicyBinding, readonly Grantee[]>();

/** Names its first subject that matches the user. */
function reasonOf(binding: PolicyBinding, user: UserInfo): string {
  let known = grantees.get(binding);
  if (known === undefined) {
    known = binding.subjects.map((subject) => new Grantee(subject, binding));
    grantees.set(binding, known);
  }
  for (const grantee of known) if (grantee.matches(user)) return grantee.reason;
  return '';
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
