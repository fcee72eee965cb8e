import { defineKind } from '../../define-kind.ts';

export const namedEventKind = defineKind({
  group: 'events.k8s.io',
  kind: 'Event',
  table: async () => (await import('./table.ts')).events,
});
