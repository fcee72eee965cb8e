import type { MutatingAdmissionPolicy } from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { policyDefaults } from '../defaults.ts';
import { mutatingPolicy } from '../policies.ts';
import { policyStrategy } from '../policy-expressions.ts';
import { noStaticName } from '../static-names.ts';
import { staticNameWarnings } from '../warnings.ts';

export const mutatingAdmissionPolicyKind = defineKind<MutatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicy',
  strategy: policyStrategy,
  checks: {
    create: function* (policy) {
      yield* mutatingPolicy(policy);
      yield* noStaticName(policy);
    },
    update: mutatingPolicy,
    anyFinalizer: true,
  },
  warnings: { update: staticNameWarnings },
  defaults: policyDefaults,
  table: async () => (await import('../policy-tables.ts')).mutatingAdmissionPolicies,
});
