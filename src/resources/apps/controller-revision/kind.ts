import type { ControllerRevision } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { controllerRevision, controllerRevisionData, controllerRevisionUpdate } from './validation.ts';

export const controllerRevisionKind = defineKind<ControllerRevision>({
  group: 'apps',
  kind: 'ControllerRevision',
  checks: { both: controllerRevision, create: controllerRevisionData, update: controllerRevisionUpdate },
  table: async () => (await import('./table.ts')).controllerRevisions,
});
