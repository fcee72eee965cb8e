import { joinedErrors } from '../../api/text/error-texts.ts';
import { goQuote, goQuoteList } from '../../api/go/go-quote.ts';
import { StatusError } from '../../api/errors/status.ts';
import { badRequest, forbidden, notFound } from '../../api/errors/status-errors.ts';
import type { EscalationGuard, PolicyWrite } from '../../registry/kinds/escalation-guard.ts';
import type { PolicyRule, RoleRef } from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import { missingRulesText } from './missing-rules-text.ts';
import type { PolicyIndex } from './policy-index.ts';
import { missingRules } from './rule-coverage.ts';

const group = 'rbac.authorization.k8s.io';
const everything: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

export interface EscalationGuardOptions {
  readonly policy: () => Promise<PolicyIndex>;
  /** The rules of a stored role; undefined when it does not exist. */
  readonly rulesOfRole: (namespace: string, name: string) => Promise<readonly PolicyRule[] | undefined>;
}

/** Prevents users from granting permissions that they do not have, unless they may `escalate` roles or `bind` them. */
export class RbacEscalationGuard implements EscalationGuard {
  readonly #options: EscalationGuardOptions;

  constructor(options: EscalationGuardOptions) {
    this.#options = options;
  }

  /** Throws a StatusError (403). */
  async checkRole(
    write: PolicyWrite,
    role: { readonly rules: readonly PolicyRule[]; readonly aggregates: boolean },
  ): Promise<void> {
    if (await this.#may('escalate', write, { resource: write.resource, name: write.requestName })) return;
    await this.#checkRules(write, role.rules);
    if (!role.aggregates) return;
    const refusal = await this.#missing(write, everything);
    if (refusal !== undefined) throw refused(write, 'must have cluster-admin privileges to use the aggregationRule');
  }

  /** Throws a StatusError: 403, or 404 when there is no such role; others for what cannot be a role. */
  async checkBinding(write: PolicyWrite, { kind = '', name = '' }: RoleRef): Promise<void> {
    const resource = kind === 'ClusterRole' ? 'clusterroles' : kind === 'Role' ? 'roles' : undefined;
    if (resource === undefined) {
      throw new StatusError({ code: 500, reason: '', message: `unsupported role reference kind: ${goQuote(kind)}` });
    }
    if (await this.#may('bind', write, { resource, name })) return;
    const namespace = resource === 'roles' ? write.namespace : '';
    if (resource === 'roles' && namespace === '') throw badRequest('Namespace parameter required.');
    if (name === '') throw badRequest('Name parameter required.');
    const rules = await this.#options.rulesOfRole(namespace, name);
    // The reference, too, names the resource being written.
    if (rules === undefined) throw notFound({ group, resource: write.resource }, name);
    await this.#checkRules(write, rules);
  }

  async #may(
    verb: 'escalate' | 'bind',
    { user, authorizer, namespace }: PolicyWrite,
    role: { readonly resource: string; readonly name: string },
  ): Promise<boolean> {
    const question = { user, verb, isResourceRequest: true, path: '', group, version: '*', subresource: '', namespace };
    const { decision } = await authorizer.authorize({ ...question, ...role });
    return decision === 'allow';
  }

  async #checkRules(write: PolicyWrite, rules: readonly PolicyRule[]): Promise<void> {
    const refusal = await this.#missing(write, rules);
    if (refusal !== undefined) throw refused(write, refusal);
  }

  /** Lists the permissions that the user lacks. */
  async #missing(
    { user, namespace, resource }: PolicyWrite,
    rules: readonly PolicyRule[],
  ): Promise<string | undefined> {
    const index = await this.#options.policy();
    const bound = [...index.boundTo(user, namespace)];
    const owned = bound.flatMap(({ role }) => role.rules ?? []);
    const missing = missingRules(owned, rules);
    if (missing === undefined) return 'the rules allow too much to be compared with what you may do';
    if (missing.length === 0) return undefined;
    const who = `user ${goQuote(user.name)} (groups=${goQuoteList(user.groups)})`;
    const unresolved = bound.flatMap(({ role, binding }) =>
      role.rules === undefined ? notFound({ group, resource }, binding.role.name ?? '').message : [],
    );
    return (
      `${who} is attempting to grant RBAC permissions not currently held:\n${missingRulesText(missing)}` +
      (unresolved.length === 0 ? '' : `; resolution errors: [${joinedErrors(unresolved)}]`)
    );
  }
}

function refused({ resource, name }: PolicyWrite, why: string): Error {
  return forbidden({ group, resource }, name, why);
}
