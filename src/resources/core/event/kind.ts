import type { Event } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { eventFromCore, eventToCore } from './conversion.ts';
import { eventStrategy } from './strategy.ts';
import { event, eventCreate, eventUpdate } from './validation.ts';

export const eventKind = defineKind<Event>({
  group: '',
  kind: 'Event',
  strategy: eventStrategy,
  checks: { both: event, create: eventCreate, update: eventUpdate, anyFinalizer: true },
  conversions: { v1: eventToCore, 'events.k8s.io/v1': eventFromCore },
  table: async () => (await import('./table.ts')).coreEvents,
});
