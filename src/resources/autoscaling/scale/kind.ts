import { defineKind } from '../../define-kind.ts';

export const scaleKind = defineKind({
  group: 'autoscaling',
  kind: 'Scale',
  table: async () => (await import('./table.ts')).scales,
});
