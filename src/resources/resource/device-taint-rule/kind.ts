import type { DeviceTaintRule } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { taintDefaults } from '../defaults.ts';
import { deviceTaintRule, deviceTaintRuleStatus, deviceTaintRuleUpdate } from './validation.ts';

export const deviceTaintRuleKind = defineKind<DeviceTaintRule>({
  group: 'resource.k8s.io',
  kind: 'DeviceTaintRule',
  strategy: {
    generation: 'spec',
    statusKeepsMetadata: true,
    requireResourceVersion: ['v1'],
  },
  checks: {
    create: deviceTaintRule,
    update: deviceTaintRuleUpdate,
    subresources: { status: deviceTaintRuleStatus },
  },
  responses: { returnsDeletedObject: ['v1beta2', 'v1alpha3'], statusHasNoTable: true },
  defaults: taintDefaults,
  table: async () => (await import('./table.ts')).deviceTaintRules,
});
