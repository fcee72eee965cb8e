import type { KubernetesObject } from '../../api/object.ts';
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  RoleRef,
  Subject,
} from '../../schema/kubernetes/generated/types/rbac-v1.ts';

/** A Role, or with an empty namespace a ClusterRole. */
export interface PolicyRole {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly PolicyRule[];
}

/** A RoleBinding, or with an empty namespace a ClusterRoleBinding. */
export interface PolicyBinding {
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleRef;
  readonly subjects: readonly Subject[];
}

export function roleOf(object: Readonly<KubernetesObject>): PolicyRole {
  const { metadata } = object;
  // Decoded by the schema of the kind; both kinds of roles have rules.
  const { rules } = object as ClusterRole;
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '', rules: rules ?? [] };
}

export function bindingOf(object: Readonly<KubernetesObject>): PolicyBinding {
  const { metadata } = object;
  // Decoded by the schema of the kind; both kinds of bindings have these.
  const { roleRef = {}, subjects } = object as ClusterRoleBinding;
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '', role: roleRef, subjects: subjects ?? [] };
}
