import type { NetworkPolicy } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { fixed, typed } from '../../parts/defaults/fill.ts';
import { networkPolicy } from './validation.ts';
import { networkPolicyWarnings } from './warnings.ts';

export const networkPolicyKind = defineKind<NetworkPolicy>({
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  strategy: { generation: 'spec' },
  checks: { create: (object) => networkPolicy(object), update: (object, old) => networkPolicy(object, old) },
  warnings: always(networkPolicyWarnings),
  defaults: {
    'io.k8s.api.networking.v1.NetworkPolicy': typed<NetworkPolicy>((policy) => {
      policy.spec ??= {};
      const { egress = [] } = policy.spec;
      policy.spec.policyTypes ??= egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
    }),
    'io.k8s.api.networking.v1.NetworkPolicyPort': fixed({ protocol: 'TCP' }),
  },
  table: async () => (await import('./table.ts')).networkPolicies,
});
