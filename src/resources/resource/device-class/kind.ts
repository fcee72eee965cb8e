import { nameRules } from '../../../api/meta/names.ts';
import type { DeviceClass } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { currentRelease } from '../../../schema/kubernetes/api-enablement.ts';
import { defineKind } from '../../define-kind.ts';
import { deviceClassesAs } from '../device-expressions.ts';
import { deviceClass } from './validation.ts';

export const deviceClassKind = defineKind<DeviceClass>({
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  strategy: { generation: 'spec', nameRule: nameRules.longName, ...deviceClassesAs(currentRelease) },
  checks: { create: (value) => deviceClass(value), update: deviceClass },
  answers: { returnsDeletedObject: true },
  table: async () => (await import('./table.ts')).deviceClasses,
});
