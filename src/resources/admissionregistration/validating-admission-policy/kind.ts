import type { ValidatingAdmissionPolicy } from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { policyDefaults } from '../defaults.ts';
import { validatingPolicy, validatingPolicyStatus } from '../policies.ts';
import { policyStrategy } from '../policy-expressions.ts';
import { noStaticName } from '../static-names.ts';
import { staticNameWarnings } from '../warnings.ts';

export const validatingAdmissionPolicyKind = defineKind<ValidatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicy',
  strategy: (environment) => ({ ...policyStrategy(environment), statusKeepsMetadata: true }),
  checks: {
    create: function* (policy) {
      yield* validatingPolicy(policy);
      yield* noStaticName(policy);
    },
    update: validatingPolicy,
    subresources: { status: validatingPolicyStatus },
    anyFinalizer: true,
  },
  warnings: { update: staticNameWarnings },
  defaults: policyDefaults,
  table: async () => (await import('../policy-tables.ts')).validatingAdmissionPolicies,
});
