import { byGate, childPath, forbiddenField, invalidField, requiredField } from '../../../api/errors/field-error.ts';
import { parseApiVersion } from '../../../api/meta/group-version.ts';
import { pathSegmentErrors } from '../../../api/meta/names.ts';
import type * as autoscaling from '../../../schema/kubernetes/generated/types/autoscaling-v2.ts';
import { containerResourceName, nonNegativeQuantity, sign } from '../../parts/amounts/quantities.ts';
import { counters } from '../../parts/rules/counts.ts';
import {
  dnsLabel,
  each,
  enumOrEmpty,
  type Errors,
  form,
  isEmpty,
  nonNegative,
  oneOf,
  positive,
  required,
  requiredAnd,
} from '../../parts/rules/rules.ts';

type Spec = autoscaling.HorizontalPodAutoscalerSpec;

export function* autoscaler(
  { spec = {} }: autoscaling.HorizontalPodAutoscaler,
  old?: autoscaling.HorizontalPodAutoscaler,
): Errors {
  const { minReplicas, maxReplicas = 0, scaleTargetRef: target = {} } = spec;
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    yield invalidField('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
  const before = old?.spec?.scaleTargetRef;
  const kept = before !== undefined && before.apiVersion === target.apiVersion && before.kind === target.kind;
  const groups = kept ? 'any' : target.kind === 'ReplicationController' ? 'all' : 'named';
  yield* objectReference(target, 'spec.scaleTargetRef', groups);
  yield* metrics(spec);
  const { scaleUp, scaleDown } = spec.behavior ?? {};
  if (scaleUp) yield* scalingRules(scaleUp, 'spec.behavior.scaleUp');
  if (scaleDown) yield* scalingRules(scaleDown, 'spec.behavior.scaleDown');
  // Declarative validation comes last.
  if (maxReplicas === 0) yield requiredField('spec.maxReplicas');
  else if (maxReplicas < 0) yield invalidField('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1');
  yield* replicasAtLeast(minReplicas, old?.spec?.minReplicas === 0);
}

/** An autoscaler that scales to zero goes on doing so. */
function replicasAtLeast(minReplicas: Spec['minReplicas'], hasBeenZero: boolean): Errors {
  const on = nonNegative(minReplicas, 'spec.minReplicas');
  const isTooFew = minReplicas !== undefined && minReplicas < 1;
  const detail = 'must be greater than or equal to 1';
  const off = isTooFew ? [invalidField('spec.minReplicas', minReplicas, detail)] : [];
  return byGate('HPAScaleToZero', { on, off: hasBeenZero ? on : off });
}

export const autoscalerStatus = (object: autoscaling.HorizontalPodAutoscaler): Errors =>
  counters(['currentReplicas', 'desiredReplicas'])(object.status ?? {}, 'status');

const segment = requiredAnd<string>(form((value) => pathSegmentErrors(value)));

/** `named`: not the core group; `any`: not validated. */
type Groups = 'all' | 'named' | 'any';

function* objectReference(reference: autoscaling.CrossVersionObjectReference, path: string, groups: Groups): Errors {
  yield* segment(reference.kind, childPath(path, 'kind'));
  yield* segment(reference.name, childPath(path, 'name'));
  if (groups === 'any') return;
  const { apiVersion = '' } = reference;
  const parsed = parseApiVersion(apiVersion);
  const versionPath = childPath(path, 'apiVersion');
  if (parsed === undefined)
    yield invalidField(versionPath, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  else if (groups === 'named' && parsed.group === '')
    yield invalidField(versionPath, apiVersion, 'apiVersion must specify API group');
}

function* metrics({ metrics: list, minReplicas }: Spec): Errors {
  yield* each(metric)(list, 'spec.metrics');
  if (minReplicas !== 0 || list?.some(({ type }) => type === 'Object' || type === 'External')) return;
  const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
  yield forbiddenField('spec.metrics', detail);
}

const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const members = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
} as const;

function* metric(spec: autoscaling.MetricSpec, path: string): Errors {
  const { type = '' } = spec;
  const typePath = childPath(path, 'type');
  if (type === '') yield requiredField(typePath, 'must specify a metric source type');
  yield* enumOrEmpty(metricTypes)(type, typePath);
  const present = Object.values(members).filter((member) => spec[member] !== undefined);
  const first = present[0];
  if (first !== undefined) yield* metricSource(spec, first, childPath(path, first));
  const expected = Object.hasOwn(members, type) ? members[type as keyof typeof members] : undefined;
  if (expected === undefined) yield* enumOrEmpty(metricTypes)(type, typePath);
  else if (spec[expected] === undefined) {
    yield requiredField(childPath(path, expected), 'must populate information for the given metric source');
  }
  if (present.length === 1) return;
  for (const member of present) {
    if (member !== expected)
      yield forbiddenField(childPath(path, member), 'must populate the given metric source only');
  }
}

function* metricSource(
  spec: autoscaling.MetricSpec,
  member: (typeof members)[keyof typeof members],
  path: string,
): Errors {
  if (member === 'object' && spec.object) {
    yield* objectReference(spec.object.describedObject ?? {}, childPath(path, 'describedObject'), 'all');
  }
  if (member === 'resource')
    yield* required('must specify a resource name')(spec.resource?.name, childPath(path, 'name'));
  if (member === 'containerResource') yield* containerMetric(spec.containerResource ?? {}, path);
  if (member === 'object' || member === 'external' || member === 'pods') {
    yield* metricName(spec[member]?.metric?.name ?? '', childPath(path, 'metric.name'));
  }
  const target = spec[member]?.target ?? {};
  yield* metricTarget(target, childPath(path, 'target'));
  yield* targetMembers(target, member, childPath(path, 'target'));
}

function* containerMetric({ name, container }: autoscaling.ContainerResourceMetricSource, path: string): Errors {
  if (isEmpty(name)) yield requiredField(childPath(path, 'name'), 'must specify a resource name');
  else yield* containerResourceName(name ?? '', childPath(path, 'name'));
  if (isEmpty(container)) yield requiredField(childPath(path, 'container'), 'must specify a container');
  else yield* dnsLabel(container, childPath(path, 'container'));
}

function* metricName(name: string, path: string): Errors {
  if (name === '') yield requiredField(path, 'must specify a metric name');
  else yield* segment(name, path);
}

function* metricTarget(
  { type = '', value, averageValue, averageUtilization }: autoscaling.MetricTarget,
  path: string,
): Errors {
  const typePath = childPath(path, 'type');
  if (type === '') yield requiredField(typePath, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    yield invalidField(typePath, type, 'must be either Utilization, Value, or AverageValue');
  }
  for (const [name, amount] of Object.entries({ value, averageValue })) {
    if (amount !== undefined && sign(amount) !== 1)
      yield invalidField(childPath(path, name), amount, 'must be positive');
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    yield invalidField(childPath(path, 'averageUtilization'), averageUtilization, 'must be greater than 0');
  }
}

function* targetMembers(target: autoscaling.MetricTarget, member: string, path: string): Errors {
  const { value, averageValue, averageUtilization } = target;
  const averagePath = childPath(path, 'averageValue');
  if (member === 'pods') {
    if (averageValue === undefined) yield requiredField(averagePath, 'must specify a positive target averageValue');
  } else if (member === 'object' || member === 'external') {
    const missing =
      member === 'object'
        ? 'must set either a target value or averageValue'
        : 'must set either a target value for metric or a per-pod target';
    if (value === undefined && averageValue === undefined) yield requiredField(averagePath, missing);
    if (member === 'external' && value !== undefined && averageValue !== undefined) {
      const detail = 'may not set both a target value for metric and a per-pod target';
      yield forbiddenField(childPath(path, 'value'), detail);
    }
  } else {
    if (averageUtilization === undefined && averageValue === undefined) {
      const detail = 'must set either a target raw value or a target utilization';
      yield requiredField(childPath(path, 'averageUtilization'), detail);
    }
    if (averageUtilization !== undefined && averageValue !== undefined) {
      yield forbiddenField(averagePath, 'may not set both a target raw value and a target utilization');
    }
  }
}

function* scalingRules(rules: autoscaling.HPAScalingRules, path: string): Errors {
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules;
  const windowPath = childPath(path, 'stabilizationWindowSeconds');
  if (window !== undefined && window < 0)
    yield invalidField(windowPath, window, 'must be greater than or equal to zero');
  if (window !== undefined && window > 3600)
    yield invalidField(windowPath, window, 'must be less than or equal to 3600');
  yield* oneOf(['Disabled', 'Max', 'Min'])(selectPolicy, childPath(path, 'selectPolicy'));
  if (policies.length === 0) yield requiredField(childPath(path, 'policies'), 'must specify at least one Policy');
  yield* each<autoscaling.HPAScalingPolicy>(function* (policy, itemPath) {
    const { type, value, periodSeconds = 0 } = policy;
    yield* enumOrEmpty(['Percent', 'Pods'])(type, childPath(itemPath, 'type'));
    yield* positive(value, childPath(itemPath, 'value'));
    const periodPath = childPath(itemPath, 'periodSeconds');
    yield* positive(periodSeconds, periodPath);
    if (periodSeconds > 1800) yield invalidField(periodPath, periodSeconds, 'must be less than or equal to 1800');
  })(policies, childPath(path, 'policies'));
  if (tolerance !== undefined) yield* nonNegativeQuantity(tolerance, childPath(path, 'tolerance'));
}
