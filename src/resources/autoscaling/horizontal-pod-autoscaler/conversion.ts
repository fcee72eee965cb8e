import { encodeRaw } from '../../../api/json/json-text.ts';
import type { JsonObject, JsonValue } from '../../../api/json/json.ts';
import type * as v1 from '../../../schema/kubernetes/generated/types/autoscaling-v1.ts';
import type * as v2 from '../../../schema/kubernetes/generated/types/autoscaling-v2.ts';
import { annotationShapes, annotationValue } from './annotation-value.ts';
import { behaviorToAnnotation, conditionToV1, convertMetric } from './conversion-metrics.ts';
import { defaultedBehavior } from './defaults.ts';

// v1 has a single metric, CPU utilization; the rest of v2 is kept in annotations.
const annotations = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
} as const;

function isCpuUtilization({ type, resource }: v2.MetricSpec): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.target?.averageUtilization !== undefined;
}

/** Converts autoscaling/v2 to autoscaling/v1. */
export function autoscalerToV1(object: JsonObject): JsonObject {
  // Objects of this kind are decoded by its schema.
  const { spec = {}, status = {}, metadata = {}, ...rest } = object as v2.HorizontalPodAutoscaler;
  const { metrics = [], behavior, ...specRest } = spec;
  const { currentMetrics = [], conditions = [], ...statusRest } = status;
  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  const carried = {
    ...carry(annotations.metrics, others, (metric) => convertMetric(metric, 'sourceToV1')),
    ...(behavior === undefined ? {} : { [annotations.behavior]: text(behaviorToAnnotation(behavior)) }),
    ...carry(annotations.conditions, conditions, conditionToV1),
    ...carry(annotations.currentMetrics, currentMetrics, (metric) => convertMetric(metric, 'statusToV1')),
  };
  const { annotations: before, ...metadataRest } = metadata;
  const annotated = { ...withoutCarried(before), ...carried };
  const utilization = metrics.find(isCpuUtilization)?.resource?.target?.averageUtilization;
  const current = currentMetrics.findLast(isCurrentCpu)?.resource?.current?.averageUtilization;
  const converted: v1.HorizontalPodAutoscaler = {
    ...rest,
    metadata: Object.keys(annotated).length === 0 ? metadataRest : { ...metadataRest, annotations: annotated },
    spec: { ...specRest, ...(utilization === undefined ? {} : { targetCPUUtilizationPercentage: utilization }) },
    status: { ...statusRest, ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }) },
  };
  return converted as JsonObject;
}

/** Converts autoscaling/v1 to autoscaling/v2. */
export function autoscalerToV2(object: JsonObject): JsonObject {
  const { spec = {}, status = {}, metadata = {}, ...rest } = object as v1.HorizontalPodAutoscaler;
  const { targetCPUUtilizationPercentage: target, ...specRest } = spec;
  const { currentCPUUtilizationPercentage: current, ...statusRest } = status;
  const kept = withoutCarried(metadata.annotations);
  const take = (name: keyof typeof annotations): JsonValue | undefined => {
    const written = metadata.annotations?.[annotations[name]];
    return written === undefined ? undefined : annotationValue(written, annotationShapes[name]);
  };
  const takeList = (name: keyof typeof annotations): readonly JsonValue[] | undefined => {
    const value = take(name);
    return Array.isArray(value) ? value : undefined;
  };
  // In the form of the field.
  const carried = takeList('metrics')?.map((metric) => convertMetric(metric, 'sourceToV2') as v2.MetricSpec);
  const behavior = take('behavior') as v2.HorizontalPodAutoscalerBehavior | undefined;
  const conditions = takeList('conditions') as v2.HorizontalPodAutoscalerCondition[] | undefined;
  const carriedCurrent = takeList('currentMetrics')?.map(
    (metric) => convertMetric(metric, 'statusToV2') as v2.MetricStatus,
  );
  const cpu = target === undefined ? [] : [cpuMetric(target)];
  const currentMetrics = carriedCurrent ?? (current === undefined ? [] : [currentCpuMetric(current)]);
  const { annotations: _annotations, ...metadataRest } = metadata;
  // Without metrics v2 would get its default, which v1 lacks.
  const metrics = [...(carried ?? []), ...cpu];
  const converted: v2.HorizontalPodAutoscaler = {
    ...rest,
    metadata: Object.keys(kept).length === 0 ? metadataRest : { ...metadataRest, annotations: kept },
    spec: {
      ...specRest,
      metrics: metrics.length === 0 ? [cpuMetric(80)] : metrics,
      ...(behavior === undefined || Object.keys(behavior).length === 0
        ? {}
        : { behavior: behaviorOfAnnotation(behavior) }),
    },
    status: {
      ...statusRest,
      ...(currentMetrics.length === 0 ? {} : { currentMetrics }),
      ...(conditions === undefined ? {} : { conditions }),
    },
  };
  return converted as JsonObject;
}

/** The reference defaults it when it reads what it has stored: rules without policies are invalid before. */
function behaviorOfAnnotation(behavior: v2.HorizontalPodAutoscalerBehavior): v2.HorizontalPodAutoscalerBehavior {
  const defaulted = defaultedBehavior(behavior);
  for (const direction of ['scaleUp', 'scaleDown'] as const) {
    if (behavior[direction] !== undefined && behavior[direction].policies === undefined) {
      delete defaulted[direction]?.policies;
    }
  }
  return defaulted;
}

function cpuMetric(averageUtilization: number): v2.MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function currentCpuMetric(averageUtilization: number): v2.MetricStatus {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

function isCurrentCpu({ type, resource }: v2.MetricStatus): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.current?.averageUtilization !== undefined;
}

/** Annotations without those written by conversions. */
export function withoutCarried(all: { readonly [name: string]: string } = {}): { [name: string]: string } {
  const own: readonly string[] = Object.values(annotations);
  return Object.fromEntries(Object.entries(all).filter(([name]) => !own.includes(name)));
}

function carry<T>(
  name: string,
  list: readonly T[],
  convert: (value: JsonValue) => JsonObject,
): { readonly [name: string]: string } {
  // Members of decoded objects are JSON.
  return list.length === 0 ? {} : { [name]: text(list.map((value) => convert(value as JsonValue))) };
}

function text(value: JsonValue): string {
  return encodeRaw(value);
}
