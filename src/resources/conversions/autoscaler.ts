import type { JsonObject, JsonValue } from '../../api/json.ts';
import type * as v1 from '../../schema/kubernetes/generated/types/autoscaling-v1.ts';
import type * as v2 from '../../schema/kubernetes/generated/types/autoscaling-v2.ts';
import { parseJson } from '../../codec/json.ts';
import { JsonSyntaxError } from '../../codec/json-syntax.ts';

// Version 1 knows one metric, the CPU utilization; whatever else version 2 has travels in annotations.
const annotations = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
} as const;

function isCpuUtilization({ type, resource }: v2.MetricSpec): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.target?.averageUtilization !== undefined;
}

function isCurrentCpu({ type, resource }: v2.MetricStatus): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.current?.averageUtilization !== undefined;
}

/** autoscaling/v2 as autoscaling/v1. */
export function autoscalerToV1(object: JsonObject): JsonObject {
  // Objects of this kind are decoded by its schema.
  const { spec = {}, status = {}, metadata = {}, ...rest } = object as v2.HorizontalPodAutoscaler;
  const { metrics = [], behavior, ...specRest } = spec;
  const { currentMetrics = [], conditions, ...statusRest } = status;
  const cpu = metrics.find(isCpuUtilization);
  const currentCpu = currentMetrics.find(isCurrentCpu);
  const others = metrics.filter((metric) => metric !== cpu);
  const otherCurrent = currentMetrics.filter((metric) => metric !== currentCpu);
  const carried = {
    ...carry(annotations.metrics, others.length === 0 ? undefined : others),
    ...carry(annotations.behavior, behavior),
    ...carry(annotations.conditions, conditions),
    ...carry(annotations.currentMetrics, otherCurrent.length === 0 ? undefined : otherCurrent),
  };
  const utilization = cpu?.resource?.target?.averageUtilization;
  const current = currentCpu?.resource?.current?.averageUtilization;
  const converted: v1.HorizontalPodAutoscaler = {
    ...rest,
    metadata:
      Object.keys(carried).length === 0
        ? metadata
        : { ...metadata, annotations: { ...metadata.annotations, ...carried } },
    spec: { ...specRest, ...(utilization === undefined ? {} : { targetCPUUtilizationPercentage: utilization }) },
    status: { ...statusRest, ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }) },
  };
  return converted as JsonObject;
}

/** autoscaling/v1 as autoscaling/v2. */
export function autoscalerToV2(object: JsonObject): JsonObject {
  const { spec = {}, status = {}, metadata = {}, ...rest } = object as v1.HorizontalPodAutoscaler;
  const { targetCPUUtilizationPercentage: target, ...specRest } = spec;
  const { currentCPUUtilizationPercentage: current, ...statusRest } = status;
  const kept = { ...metadata.annotations };
  const take = <T>(name: string): T | undefined => {
    const text = kept[name];
    delete kept[name];
    return text === undefined ? undefined : (read(text) as T | undefined);
  };
  const carried = take<v2.MetricSpec[]>(annotations.metrics);
  const behavior = take<v2.HorizontalPodAutoscalerBehavior>(annotations.behavior);
  const conditions = take<v2.HorizontalPodAutoscalerCondition[]>(annotations.conditions);
  const otherCurrent = take<v2.MetricStatus[]>(annotations.currentMetrics) ?? [];
  const cpu = target === undefined ? [] : [cpuMetric(target)];
  const currentCpu = current === undefined ? [] : [currentCpuMetric(current)];
  const { annotations: _annotations, ...metadataRest } = metadata;
  // Without any metric the default stands in for what version 1 leaves out.
  const metrics = [...(carried ?? []), ...cpu];
  const converted: v2.HorizontalPodAutoscaler = {
    ...rest,
    metadata: Object.keys(kept).length === 0 ? metadataRest : { ...metadataRest, annotations: kept },
    spec: {
      ...specRest,
      metrics: metrics.length === 0 ? [cpuMetric(80)] : metrics,
      ...(behavior === undefined ? {} : { behavior }),
    },
    status: {
      ...statusRest,
      ...(otherCurrent.length + currentCpu.length === 0 ? {} : { currentMetrics: [...otherCurrent, ...currentCpu] }),
      ...(conditions === undefined ? {} : { conditions }),
    },
  };
  return converted as JsonObject;
}

function cpuMetric(averageUtilization: number): v2.MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function currentCpuMetric(averageUtilization: number): v2.MetricStatus {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization, averageValue: '0' } } };
}

function carry(name: string, value: unknown): { readonly [name: string]: string } {
  return value === undefined ? {} : { [name]: JSON.stringify(value) };
}

/** An annotation that is no JSON was not written by a conversion: it says nothing. */
function read(text: string): JsonValue | undefined {
  try {
    return parseJson(Buffer.from(text)).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
