import type { Client } from '../../api/client/client.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import { alwaysAllow } from '../../authorization/always.ts';
import { RbacEscalationGuard } from '../../authorization/rbac/escalation.ts';
import { rbacPolicy, type RbacPolicy } from '../../authorization/rbac/policy.ts';
import { roleOf } from '../../authorization/rbac/policy-objects.ts';
import { InProcessClient } from '../../client/in-process-client.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { noAdmission, systemUser } from '../../system/system-operation.ts';

/** The client of authorizers, which are not subject to authorization or admission themselves. */
export function accessClient(scopes: ResourceScopes, { clock }: PartContext): Client {
  return new InProcessClient({ scopes, clock, admission: noAdmission, authorizer: alwaysAllow, user: systemUser });
}

/** The roles and bindings of this server, read on first use. */
export function followedPolicy(client: Client, { onError, onStop }: PartContext): RbacPolicy {
  const policy = rbacPolicy({ client, onError });
  onStop(() => policy[Symbol.dispose]());
  return policy;
}

/** Checks escalation by the policy, but reads roles from the store: one just created can be bound at once. */
export function escalationGuard(policy: RbacPolicy, stored: StoredObjects): RbacEscalationGuard {
  return new RbacEscalationGuard({
    policy: () => policy.ready(),
    async rulesOfRole(namespace, name) {
      const plural = namespace === '' ? 'clusterroles' : 'roles';
      const role = await stored.get({ group: 'rbac.authorization.k8s.io', version: 'v1', plural }, { namespace, name });
      return role === undefined ? undefined : roleOf(role).rules;
    },
  });
}
