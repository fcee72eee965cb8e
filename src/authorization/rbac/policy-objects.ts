import type { KubernetesObject } from '../../api/meta/object.ts';
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  RoleRef,
  Subject,
} from '../../schema/kubernetes/generated/types/rbac-v1.ts';

/** A Role, or a ClusterRole when the namespace is empty. */
export interface PolicyRole {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly PolicyRule[];
}

/** A RoleBinding, or a ClusterRoleBinding when the namespace is empty. */
export interface PolicyBinding {
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleRef;
  readonly subjects: readonly Subject[];
}

export function roleOf(object: Readonly<KubernetesObject>): PolicyRole {
  const { metadata } = object;
  // Decoded by the schema of the kind; Roles and ClusterRoles both have rules.
  const { rules } = object as ClusterRole;
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '', rules: rules ?? [] };
}

export function bindingOf(object: Readonly<KubernetesObject>): PolicyBinding {
  const { metadata } = object;
  // Decoded by the schema of the kind; both kinds of bindings have these fields.
  const { roleRef = {}, subjects } = object as ClusterRoleBinding;
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '', role: roleRef, subjects: subjects ?? [] };
}
