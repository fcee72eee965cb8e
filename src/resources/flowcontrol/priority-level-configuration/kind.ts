import type { PriorityLevelConfiguration } from '../../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed } from '../../parts/defaults/fill.ts';
import { conditions } from '../status-conditions.ts';
import { priorityLevel } from './validation.ts';
import { levelFromBeta2, levelFromBeta3 } from './older-versions.ts';

export const priorityLevelConfigurationKind = defineKind<PriorityLevelConfiguration>({
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'PriorityLevelConfiguration',
  strategy: { generation: 'spec', statusKeepsMetadata: true },
  checks: { both: priorityLevel, subresources: { status: conditions } },
  defaults: {
    'io.k8s.api.flowcontrol.v1.ExemptPriorityLevelConfiguration': fixed({
      nominalConcurrencyShares: 0,
      lendablePercent: 0,
    }),
    'io.k8s.api.flowcontrol.v1.LimitedPriorityLevelConfiguration': fixed({
      nominalConcurrencyShares: 30,
      lendablePercent: 0,
    }),
    'io.k8s.api.flowcontrol.v1.QueuingConfiguration': fixed({ handSize: 8, queues: 64, queueLengthLimit: 50 }),
  },
  table: async () => (await import('./table.ts')).priorityLevelConfigurations,
  olderVersions: {
    'flowcontrol.apiserver.k8s.io/v1beta1': levelFromBeta2,
    'flowcontrol.apiserver.k8s.io/v1beta2': levelFromBeta2,
    'flowcontrol.apiserver.k8s.io/v1beta3': levelFromBeta3,
  },
});
