import type { Authorizer } from '../../api/contracts/authorization.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { PolicyRule, RoleRef } from '../../schema/kubernetes/generated/types/rbac-v1.ts';

/** The write of a role or binding that is checked. */
export interface PolicyWrite {
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
  readonly resource: 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings';
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** Name in the object. */
  readonly name: string;
  /** Name in the path; empty for a POST. */
  readonly requestName: string;
}

/** Prevents users from granting permissions that they do not have, unless they may `escalate` roles or `bind` them. */
export interface EscalationGuard {
  /** Throws a StatusError (403). */
  checkRole(
    write: PolicyWrite,
    role: { readonly rules: readonly PolicyRule[]; readonly aggregates: boolean },
  ): Promise<void>;
  /** Throws a StatusError: 403, or 404 when there is no such role; others for what cannot be a role. */
  checkBinding(write: PolicyWrite, roleRef: RoleRef): Promise<void>;
}
