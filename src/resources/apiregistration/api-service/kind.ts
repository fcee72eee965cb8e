import type { APIService } from '../../../schema/kubernetes/generated/types/apiregistration-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed } from '../../parts/defaults/fill.ts';
import { apiServiceStrategy } from './strategy.ts';
import { apiService, apiServiceStatus } from './validation.ts';

export const apiServiceKind = defineKind<APIService>({
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  strategy: apiServiceStrategy,
  checks: { both: apiService, subresources: { status: apiServiceStatus }, anyFinalizer: true },
  defaults: { 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference': fixed({ port: 443 }) },
  table: async () => (await import('./table.ts')).apiServices,
});
