import type { IngressClass } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { typed } from '../../parts/defaults/fill.ts';
import { ingressClass, ingressClassUpdate } from './validation.ts';

export const ingressClassKind = defineKind<IngressClass>({
  group: 'networking.k8s.io',
  kind: 'IngressClass',
  strategy: { generation: 'spec' },
  checks: { create: ingressClass, update: ingressClassUpdate },
  defaults: {
    'io.k8s.api.networking.v1.IngressClass': typed<IngressClass>(({ spec }) => {
      if (spec?.parameters !== undefined) spec.parameters.scope ??= 'Cluster';
    }),
  },
  table: async () => (await import('./table.ts')).ingressClasses,
});
