import type { Ingress } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { loadBalancerWarnings } from '../../core/service/warnings.ts';
import { defineKind } from '../../define-kind.ts';
import { ingress, ingressClassAnnotation, ingressStatus } from './validation.ts';
import { ingressFromBeta1 } from './older-versions.ts';

export const ingressKind = defineKind<Ingress>({
  group: 'networking.k8s.io',
  kind: 'Ingress',
  strategy: { generation: 'spec' },
  checks: { both: ingress, create: ingressClassAnnotation, subresources: { status: ingressStatus } },
  warnings: {
    create: ({ metadata, spec }) =>
      metadata?.annotations?.['kubernetes.io/ingress.class'] !== undefined && spec?.ingressClassName === undefined
        ? [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`]
        : [],
    subresources: { status: ({ status }) => loadBalancerWarnings(status) },
  },
  table: async () => (await import('./table.ts')).ingresses,
  olderVersions: {
    'networking.k8s.io/v1beta1': ingressFromBeta1,
    'extensions/v1beta1': ingressFromBeta1,
  },
});
