import { defineKind } from '../../define-kind.ts';
import { evictingRules } from '../evicting.ts';

export const evictionKind = defineKind({
  group: 'lifecycle.k8s.io',
  kind: 'Eviction',
  ...evictingRules,
  table: async () => (await import('./table.ts')).evictions,
});
