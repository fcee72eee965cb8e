import type { HorizontalPodAutoscaler } from '../../../schema/kubernetes/generated/types/autoscaling-v2.ts';
import { defineKind } from '../../define-kind.ts';
import { autoscalerToV1, autoscalerToV2 } from './conversion.ts';
import { autoscalerDefaults } from './defaults.ts';
import { autoscalerStrategy } from './strategy.ts';
import { autoscaler, autoscalerStatus } from './validation.ts';

export const horizontalPodAutoscalerKind = defineKind<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  strategy: autoscalerStrategy,
  checks: {
    create: (object) => autoscaler(object),
    update: (object, old) => autoscaler(object, old),
    subresources: { status: autoscalerStatus },
  },
  defaults: autoscalerDefaults,
  conversions: { 'autoscaling/v1': autoscalerToV1, 'autoscaling/v2': autoscalerToV2 },
  table: async () => (await import('./table.ts')).horizontalPodAutoscalers,
});
