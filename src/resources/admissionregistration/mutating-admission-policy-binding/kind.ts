import type { MutatingAdmissionPolicyBinding } from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { bindingDefaults } from '../defaults.ts';
import { mutatingBinding } from '../policy-bindings.ts';
import { bindingPermissions, mutatingTexts } from '../policy-permissions.ts';
import { noStaticName } from '../static-names.ts';
import { staticNameWarnings } from '../warnings.ts';

export const mutatingAdmissionPolicyBindingKind = defineKind<MutatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicyBinding',
  strategy: (environment) => ({
    generation: 'spec',
    requireResourceVersion: true,
    ...bindingPermissions({ plural: 'mutatingadmissionpolicies', texts: mutatingTexts }, environment),
  }),
  checks: { both: mutatingBinding, create: noStaticName, anyFinalizer: true },
  warnings: { update: staticNameWarnings },
  defaults: bindingDefaults,
  table: async () => (await import('../binding-table.ts')).policyBindings,
});
