import type { Defaulters } from '../../schema/defaulters.ts';
import type { RoleBinding, Subject } from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import { typed } from '../parts/defaults/fill.ts';

const group = 'rbac.authorization.k8s.io';

export const subjectDefaults: Defaulters = {
  'io.k8s.api.rbac.v1.Subject': typed<Subject>((subject) => {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ??= group;
  }),
};

export function defaultBinding(binding: RoleBinding): void {
  binding.roleRef = { ...binding.roleRef, apiGroup: binding.roleRef?.apiGroup ?? group };
}
