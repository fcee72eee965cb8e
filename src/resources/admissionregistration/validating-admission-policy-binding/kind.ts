import type { ValidatingAdmissionPolicyBinding } from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { bindingDefaults } from '../defaults.ts';
import { validatingBinding } from '../policy-bindings.ts';
import { bindingPermissions, validatingTexts } from '../policy-permissions.ts';
import { noStaticName } from '../static-names.ts';
import { staticNameWarnings } from '../warnings.ts';

export const validatingAdmissionPolicyBindingKind = defineKind<ValidatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicyBinding',
  strategy: (environment) => ({
    generation: 'spec',
    requireResourceVersion: true,
    ...bindingPermissions({ plural: 'validatingadmissionpolicies', texts: validatingTexts }, environment),
  }),
  checks: { both: validatingBinding, create: noStaticName, anyFinalizer: true },
  warnings: { update: staticNameWarnings },
  defaults: bindingDefaults,
  table: async () => (await import('../binding-table.ts')).policyBindings,
});
