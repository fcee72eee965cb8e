import { defineKind } from '../../define-kind.ts';

export const componentStatusKind = defineKind({
  group: '',
  kind: 'ComponentStatus',
  table: async () => (await import('./table.ts')).componentStatuses,
});
