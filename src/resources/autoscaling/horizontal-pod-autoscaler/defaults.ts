import { cloneData } from '../../../api/json/json.ts';
import type { Defaulters } from '../../../schema/defaulters.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
} from '../../../schema/kubernetes/generated/types/autoscaling-v2.ts';
import { isSet } from '../../parts/rules/set-fields.ts';
import { fixed, typed } from '../../parts/defaults/fill.ts';

export const autoscalerDefaults: Defaulters = {
  'io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerSpec': fixed({ minReplicas: 1 }),
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler': typed(defaultAutoscaler),
};

const scaleUp: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};

const scaleDown: HPAScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

function defaultAutoscaler(autoscaler: HorizontalPodAutoscaler): void {
  autoscaler.spec ??= {};
  const { spec } = autoscaler;
  spec.minReplicas ??= 1;
  spec.metrics ??= [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
  ];
  if (spec.behavior !== undefined) spec.behavior = defaultedBehavior(spec.behavior);
}

export function defaultedBehavior(behavior: HorizontalPodAutoscalerBehavior): HorizontalPodAutoscalerBehavior {
  return {
    ...behavior,
    scaleUp: defaultedRules(behavior.scaleUp ?? {}, scaleUp),
    scaleDown: defaultedRules(behavior.scaleDown ?? {}, scaleDown),
  };
}

/** An empty list of policies is not replaced. */
function defaultedRules(rules: HPAScalingRules, defaults: HPAScalingRules): HPAScalingRules {
  const { policies = [], ...others } = cloneData(defaults);
  return { ...others, ...(isSet(rules, 'policies') ? {} : { policies }), ...rules };
}
