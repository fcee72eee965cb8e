import { nameRules } from '../../../api/meta/names.ts';
import type { DeviceClass } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { deviceClassExpressions } from '../device-expressions.ts';
import { deviceClass } from './validation.ts';

export const deviceClassKind = defineKind<DeviceClass>({
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  strategy: (environment) => ({
    generation: 'spec',
    nameRule: nameRules.longName,
    ...deviceClassExpressions(environment),
  }),
  checks: { create: (value) => deviceClass(value), update: deviceClass },
  responses: { returnsDeletedObject: true },
  table: async () => (await import('./table.ts')).deviceClasses,
});
