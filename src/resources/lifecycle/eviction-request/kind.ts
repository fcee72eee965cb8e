import { defineKind } from '../../define-kind.ts';
import { evictingRules } from '../evicting.ts';

export const evictionRequestKind = defineKind({
  group: 'lifecycle.k8s.io',
  kind: 'EvictionRequest',
  ...evictingRules,
  table: async () => (await import('./table.ts')).evictionRequests,
});
