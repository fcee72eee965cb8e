import type { DeviceClass } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { deviceClass } from './validation.ts';

export const deviceClassKind = defineKind<DeviceClass>({
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  strategy: { generation: 'spec' },
  checks: { both: deviceClass },
  answers: { returnsDeletedObject: true },
  table: async () => (await import('./table.ts')).deviceClasses,
});
