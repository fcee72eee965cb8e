import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { noClasses } from './device-classes.ts';
import type { Usage, UsageContext } from './evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';

const stored: UsageContext['stored'] = { list: () => [], async *scan() {}, get: () => undefined };
const requests = { cpu: '100m' };
const pod: Pod = { spec: { containers: [{ name: 'a', resources: { requests } }] } };

function usageOf(object: Pod, takesWhole = true): Usage {
  const isOn = (gate: string): boolean => takesWhole && gate === 'PodLevelResources';
  // Evaluators of pods are synchronous.
  return podEvaluator.usageOf(object as KubernetesObject, { stored, isOn, nowMs: 0, classes: noClasses }) as Usage;
}

test('pods that ask for the same share what they use', () => {
  const other = { ...pod, metadata: { name: 'other', labels: { a: 'b' } } };
  expect(usageOf(other)).toBe(usageOf(pod));
});

const term = { namespaces: ['other'], topologyKey: 'zone' };

const differences: Readonly<Record<string, Pod>> = {
  'an amount': { spec: { containers: [{ name: 'a', resources: { requests: { cpu: '101m' } } }] } },
  'a limit': { spec: { containers: [{ name: 'a', resources: { requests, limits: { cpu: '1' } } }] } },
  'another container': {
    spec: { containers: [...(pod.spec?.containers ?? []), { name: 'b', resources: { requests } }] },
  },
  'an init container': {
    spec: { ...pod.spec, initContainers: [{ name: 'b', resources: { requests: { cpu: '1' } } }] },
  },
  'a restartable init container': {
    spec: {
      ...pod.spec,
      initContainers: [{ name: 'b', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } }],
    },
  },
  'resources of the pod': { spec: { ...pod.spec, resources: { requests: { cpu: '2' } } } },
  overhead: { spec: { ...pod.spec, overhead: { cpu: '5m' } } },
  'a priority class': { spec: { ...pod.spec, priorityClassName: 'high' } },
  'a deadline': { spec: { ...pod.spec, activeDeadlineSeconds: 5n } },
  'affinity across namespaces': {
    spec: { ...pod.spec, affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } },
  },
  'its end': { ...pod, status: { phase: 'Succeeded' } },
  'its deletion': { ...pod, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 } },
  'what it has been given': {
    ...pod,
    status: { containerStatuses: [{ name: 'a', allocatedResources: { cpu: '3' } } as never] },
  },
};

test('whatever else a pod asks for makes a difference', () => {
  const usages = [usageOf(pod), ...Object.values(differences).map((other) => usageOf(other))];
  const texts = usages.map(({ amounts, scopes: { flags, values }, isPassing }) =>
    JSON.stringify([[...amounts], [...flags], [...values], isPassing]),
  );
  expect(new Set(texts).size).toBe(texts.length);
  expect(usages.map((usage) => usageOf(pod) === usage)).toEqual(usages.map((_, index) => index === 0));
});

test('pod-level resources count where their feature is on', () => {
  const whole = differences['resources of the pod'] ?? {};
  expect(usageOf(whole).amounts.get('requests.cpu')).toBe('2');
  expect(usageOf(whole, false).amounts.get('requests.cpu')).toBe('100m');
});
