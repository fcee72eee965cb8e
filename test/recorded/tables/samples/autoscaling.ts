import type { JsonObject } from '../../../../src/api/json/json.ts';
import { type SampleBody, samplesOf } from '../sample.ts';

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const described = { describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' } };
const metric = { name: 'requests' };

/** An autoscaler with these metrics and current values. */
function autoscaler(metrics: readonly JsonObject[], current: readonly JsonObject[] = []): SampleBody {
  return {
    body: { spec: { scaleTargetRef, maxReplicas: 9, metrics: [...metrics] } },
    status: { currentReplicas: 3, desiredReplicas: 4, conditions: [], currentMetrics: [...current] },
  };
}

function resource(name: string, values: JsonObject): JsonObject {
  return { type: 'Resource', resource: { name, ...values } };
}

function perContainer(values: JsonObject): JsonObject {
  return { type: 'ContainerResource', containerResource: { name: 'memory', container: 'c', ...values } };
}

function onObject(values: JsonObject): JsonObject {
  return { type: 'Object', object: { ...described, metric, ...values } };
}

function external(values: JsonObject): JsonObject {
  return { type: 'External', external: { metric, ...values } };
}

function ofPods(values: JsonObject): JsonObject {
  return { type: 'Pods', pods: { metric, ...values } };
}

const target = {
  percent: { target: { type: 'Utilization', averageUtilization: 70 } },
  average: { target: { type: 'AverageValue', averageValue: '100Mi' } },
  value: { target: { type: 'Value', value: '2500m' } },
};

function now(current: JsonObject): JsonObject {
  return { current };
}

export const autoscalingSamples = samplesOf('autoscaling/v2/horizontalpodautoscalers', [
  { body: { spec: { scaleTargetRef, maxReplicas: 5 } } },
  {
    body: { spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 5 } },
    status: { currentReplicas: 4, desiredReplicas: 4 },
  },
  autoscaler(
    [resource('cpu', target.percent)],
    [resource('cpu', now({ averageUtilization: 65, averageValue: '650m' }))],
  ),
  autoscaler([resource('cpu', target.percent)], [resource('cpu', now({ averageValue: '650m' }))]),
  autoscaler([resource('memory', target.average)], [resource('memory', now({ averageValue: '64Mi' }))]),
  autoscaler([resource('memory', target.average)]),
  autoscaler([resource('memory', target.average)], [resource('memory', now({ averageUtilization: 4 }))]),
  autoscaler([external(target.value)], [external(now({ averageValue: '4' }))]),
  autoscaler([onObject(target.value)], [onObject(now({ averageValue: '4' }))]),
  autoscaler([ofPods(target.average)], [ofPods(now({ value: '4' }))]),
  autoscaler([perContainer(target.percent)], [perContainer(now({ averageUtilization: 12, averageValue: '1' }))]),
  autoscaler([perContainer(target.percent)]),
  autoscaler([perContainer(target.average)], [perContainer(now({ averageValue: '99Mi' }))]),
  autoscaler([perContainer(target.average)]),
  autoscaler([ofPods(target.average)], [ofPods(now({ averageValue: '12' }))]),
  autoscaler([ofPods(target.average)]),
  autoscaler([onObject(target.value)], [onObject(now({ value: '3' }))]),
  autoscaler([onObject(target.value)]),
  autoscaler([onObject(target.average)], [onObject(now({ value: '3', averageValue: '1' }))]),
  autoscaler([onObject(target.average)], [onObject(now({ value: '3' }))]),
  autoscaler([external(target.value)], [external(now({ value: '4' }))]),
  autoscaler([external(target.value)]),
  autoscaler([external(target.average)], [external(now({ value: '4', averageValue: '500m' }))]),
  autoscaler([external(target.average)], [external(now({ value: '4' }))]),
  autoscaler(
    [resource('cpu', target.percent), resource('memory', target.average)],
    [ofPods(now({ averageValue: '1' }))],
  ),
  autoscaler([resource('cpu', target.percent), ofPods(target.average), external(target.value), onObject(target.value)]),
]);
