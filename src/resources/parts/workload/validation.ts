import { childPath, forbiddenField, invalidField, notSupportedField, requiredField } from '../../../api/field-error.ts';
import { isJsonObject, type JsonValue } from '../../../api/json.ts';
import { annotationErrors } from '../../../api/object-meta-validation.ts';
import type * as apps from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { LabelSelector } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { atMost100Percent, bounded, counters, intOrPercent, notDecremented, numberOf } from '../rules/counts.ts';
import { internalValue } from '../rules/internal-value.ts';
import { isEmptySelector, labelSelector, selectorRequirements, selects } from '../selectors/label-selectors.ts';
import { persistentVolumeClaimSpec } from '../volume-claim/validation.ts';
import { podAnnotations } from '../pod-template/annotations.ts';
import { podTemplateSpec } from '../pod-template/pod-spec.ts';
import {
  dnsLabel,
  each,
  type Errors,
  immutableMessage,
  isEmpty,
  labels,
  nonNegative,
  type Rule,
} from '../rules/rules.ts';
import { sameValue } from '../rules/same-value.ts';

// Kinds that keep pods of one template running.

const mismatch = '`selector` does not match template `labels`';

function* templateLabels(selector: LabelSelector | undefined, template: core.PodTemplateSpec, path: string): Errors {
  const values = template.metadata?.labels;
  if (selects(selector, values ?? {})) return;
  yield invalidField(childPath(path, 'metadata.labels'), internalValue('{}string', values), mismatch);
}

/** Pods of these kinds are restarted always, and have no deadline. */
function* runsForever(template: core.PodTemplateSpec, path: string, kind: string): Errors {
  const { restartPolicy = '', activeDeadlineSeconds } = template.spec ?? {};
  if (restartPolicy !== 'Always')
    yield notSupportedField(childPath(path, 'spec.restartPolicy'), restartPolicy, ['Always']);
  if (activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    yield forbiddenField(childPath(path, 'spec.activeDeadlineSeconds'), detail);
  }
}

function* selectorOf(selector: LabelSelector | undefined, path: string, kind: string): Errors {
  if (selector === undefined) return yield requiredField(path);
  yield* labelSelector(selector, path);
  if (isEmptySelector(selector)) {
    yield invalidField(path, internalValue('plain', selector), `empty selector is invalid for ${kind}`);
  }
}

/** Selector and template; both are absent in no object that is well. */
function* replicaTemplate(spec: apps.ReplicaSetSpec, kind: string, detail: string): Errors {
  yield* selectorOf(spec.selector, 'spec.selector', kind);
  const { template = {}, selector } = spec;
  if (selector !== undefined && selectorRequirements(selector) === undefined) {
    return yield invalidField('spec.selector', internalValue('plain', selector), detail);
  }
  if (selector === undefined || !isEmptySelector(selector)) yield* templateLabels(selector, template, 'spec.template');
  yield* podTemplateSpec(template, 'spec.template');
  yield* runsForever(template, 'spec.template', 'ReplicaSet');
}

export function* deployment({ spec = {} }: apps.Deployment): Errors {
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* replicaTemplate(spec, 'deployment', 'invalid label selector');
  yield* deploymentStrategy(spec.strategy ?? {}, 'spec.strategy');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit');
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  if (deadline === undefined) return;
  yield* nonNegative(deadline, 'spec.progressDeadlineSeconds');
  if (deadline <= minReadySeconds) {
    yield invalidField('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds');
  }
}

function* deploymentStrategy(strategy: apps.DeploymentStrategy, path: string): Errors {
  const { type = '', rollingUpdate } = strategy;
  const updatePath = childPath(path, 'rollingUpdate');
  if (type === 'Recreate') {
    if (rollingUpdate) yield forbiddenField(updatePath, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type !== 'RollingUpdate') {
    yield notSupportedField(path, internalValue('apps.DeploymentStrategy', strategy), ['Recreate', 'RollingUpdate']);
  } else if (rollingUpdate === undefined) {
    yield requiredField(updatePath, 'this should be defaulted and never be nil');
  } else {
    const { maxUnavailable, maxSurge } = rollingUpdate;
    const unavailablePath = childPath(updatePath, 'maxUnavailable');
    yield* intOrPercent(maxUnavailable, unavailablePath);
    yield* intOrPercent(maxSurge, childPath(updatePath, 'maxSurge'));
    if (numberOf(maxUnavailable) === 0 && numberOf(maxSurge) === 0) {
      yield invalidField(unavailablePath, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0');
    }
    yield* atMost100Percent(maxUnavailable, unavailablePath);
  }
}

function shownSelector(selector: LabelSelector | undefined): JsonValue {
  return selector === undefined ? null : internalValue('plain', selector);
}

export function* selectorUpdate(
  object: { spec?: { selector?: LabelSelector } },
  old: { spec?: { selector?: LabelSelector } },
): Errors {
  const selector = object.spec?.selector;
  if (sameValue(selector, old.spec?.selector)) return;
  yield invalidField('spec.selector', shownSelector(selector), immutableMessage);
}

export function* replicaSet({ spec = {} }: apps.ReplicaSet): Errors {
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* replicaTemplate(spec, 'deployment', 'invalid label selector');
}

export function* replicationController({ spec = {} }: core.ReplicationController): Errors {
  const { selector = {}, template } = spec;
  if (isEmpty(selector)) yield requiredField('spec.selector');
  if (template === undefined) yield requiredField('spec.template');
  else {
    if (!isEmpty(selector)) yield* templateLabels({ matchLabels: selector }, template, 'spec.template');
    yield* podTemplateSpec(template, 'spec.template');
    yield* runsForever(template, 'spec.template', 'ReplicationController');
  }
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
}

export function* daemonSet({ spec = {} }: apps.DaemonSet): Errors {
  const { selector, template = {} } = spec;
  yield* labelSelector(selector, 'spec.selector');
  const wellFormed = selector === undefined || selectorRequirements(selector) !== undefined;
  if (wellFormed && !selects(selector, template.metadata?.labels ?? {})) {
    yield invalidField('spec.template.metadata.labels', internalValue('{}string', template.metadata?.labels), mismatch);
  }
  if (selector !== undefined && isEmptySelector(selector)) {
    yield invalidField('spec.selector', internalValue('plain', selector), 'empty selector is invalid for daemonset');
  }
  yield* podTemplateSpec(template, 'spec.template');
  yield* runsForever(template, 'spec.template', 'DaemonSet');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* daemonSetStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy');
  yield* nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit');
}

function* daemonSetStrategy(strategy: apps.DaemonSetUpdateStrategy, path: string): Errors {
  const { type = '', rollingUpdate } = strategy;
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    const value = internalValue('apps.DaemonSetUpdateStrategy', strategy);
    return yield notSupportedField(path, value, ['RollingUpdate', 'OnDelete']);
  }
  const updatePath = childPath(path, 'rollingUpdate');
  if (rollingUpdate === undefined) return yield requiredField(updatePath);
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const [unavailablePath, surgePath] = [childPath(updatePath, 'maxUnavailable'), childPath(updatePath, 'maxSurge')];
  yield* intOrPercent(maxUnavailable, unavailablePath);
  yield* intOrPercent(maxSurge, surgePath);
  yield* atMost100Percent(maxUnavailable, unavailablePath);
  yield* atMost100Percent(maxSurge, surgePath);
  const [unavailable, surge] = [numberOf(maxUnavailable) !== 0, numberOf(maxSurge) !== 0];
  if (unavailable && surge) yield invalidField(surgePath, maxSurge, 'may not be set when maxUnavailable is non-zero');
  else if (!unavailable && !surge) yield requiredField(unavailablePath, 'cannot be 0 when maxSurge is 0');
}

export const newStatefulSet = ({ spec = {} }: apps.StatefulSet): Errors =>
  statefulSet(spec, (claims, path) =>
    each<core.PersistentVolumeClaim>((claim, itemPath) =>
      persistentVolumeClaimSpec(claim.spec ?? {}, childPath(itemPath, 'spec')),
    )(claims, path),
  );

function* statefulSet(
  spec: apps.StatefulSetSpec,
  claimTemplates: Rule<readonly core.PersistentVolumeClaim[] | undefined>,
): Errors {
  yield* podManagement(spec.podManagementPolicy ?? '', 'spec.podManagementPolicy');
  yield* statefulSetStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy');
  const retention = spec.persistentVolumeClaimRetentionPolicy;
  for (const name of ['whenDeleted', 'whenScaled'] as const) {
    const supported = requiredRetention(retention?.[name] ?? '');
    const path = `spec.persistentVolumeClaimRetentionPolicy.${name}`;
    if (retention && !supported) yield notSupportedField(path, retention[name] ?? '', ['Retain', 'Delete']);
  }
  yield* claimTemplates(spec.volumeClaimTemplates, 'spec.volumeClaimTemplates');
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* nonNegative(spec.ordinals?.start, 'spec.ordinals.start');
  if (!isEmpty(spec.serviceName)) yield* dnsLabel(spec.serviceName, 'spec.serviceName');
  yield* statefulSetTemplate(spec);
}

function requiredRetention(value: string): boolean {
  return value === 'Retain' || value === 'Delete';
}

function* podManagement(policy: string, path: string): Errors {
  if (policy === '') yield requiredField(path);
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    yield invalidField(path, policy, "must be 'OrderedReady' or 'Parallel'");
  }
}

function* statefulSetStrategy(strategy: apps.StatefulSetUpdateStrategy, path: string): Errors {
  const { type = '', rollingUpdate } = strategy;
  const updatePath = childPath(path, 'rollingUpdate');
  if (type === '') yield requiredField(path);
  else if (type === 'OnDelete') {
    if (rollingUpdate === undefined) return;
    const value = internalValue('apps.RollingUpdateStatefulSetStrategy', rollingUpdate);
    yield invalidField(updatePath, value, "only allowed for updateStrategy 'RollingUpdate'");
  } else if (type !== 'RollingUpdate') {
    const value = internalValue('apps.StatefulSetUpdateStrategy', strategy);
    yield invalidField(path, value, "must be 'RollingUpdate' or 'OnDelete'");
  } else if (rollingUpdate) {
    yield* nonNegative(rollingUpdate.partition, childPath(updatePath, 'partition'));
    const { maxUnavailable } = rollingUpdate;
    if (maxUnavailable === undefined) return;
    const unavailablePath = childPath(updatePath, 'maxUnavailable');
    yield* intOrPercent(maxUnavailable, unavailablePath);
    if (numberOf(maxUnavailable) === 0) yield invalidField(unavailablePath, maxUnavailable, 'cannot be 0');
    yield* atMost100Percent(maxUnavailable, unavailablePath);
  }
}

function* statefulSetTemplate(spec: apps.StatefulSetSpec): Errors {
  const { selector, template = {} } = spec;
  yield* selectorOf(selector, 'spec.selector', 'statefulset');
  if (selector !== undefined && selectorRequirements(selector) === undefined) {
    yield invalidField('spec.selector', internalValue('plain', selector), '');
  } else {
    if (selector === undefined || !isEmptySelector(selector))
      yield* templateLabels(selector, template, 'spec.template');
    yield* podTemplateSpec(withClaims(spec), 'spec.template');
    const annotations = template.metadata?.annotations ?? {};
    yield* labels(template.metadata?.labels, 'spec.template.labels');
    yield* annotationErrors(annotations, 'spec.template.annotations');
    yield* podAnnotations(annotations, template.spec ?? {}, 'spec.template.annotations');
  }
  yield* runsForever(template, 'spec.template', 'StatefulSet');
}

/** The template as its pods will have it: a volume for each claim, names that the controller sets left out. */
function withClaims(spec: apps.StatefulSetSpec): core.PodTemplateSpec {
  const { template = {}, volumeClaimTemplates = [] } = spec;
  const { hostname: _hostname, subdomain: _subdomain, ...podSpec } = template.spec ?? {};
  const names = new Set(volumeClaimTemplates.map((claim) => claim.metadata?.name ?? ''));
  if (names.size === 0) return { ...template, spec: podSpec };
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = (podSpec.volumes ?? []).filter(({ name = '' }) => !names.has(name));
  return { ...template, spec: { ...podSpec, volumes: [...claims, ...others] } };
}

export function* statefulSetUpdate(object: apps.StatefulSet, old: apps.StatefulSet): Errors {
  // Claims cannot change any more, so what was taken once is well.
  yield* statefulSet(object.spec ?? {}, () => []);
  const fixed = ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'] as const;
  for (const name of fixed) {
    const [value, before] = [object.spec?.[name], old.spec?.[name]];
    if (sameValue(value, before)) continue;
    const shown =
      name === 'volumeClaimTemplates'
        ? internalValue('[]core.PersistentVolumeClaim', value)
        : name === 'selector'
          ? shownSelector(object.spec?.selector)
          : (object.spec?.[name] ?? '');
    yield invalidField(childPath('spec', name), shown, immutableMessage);
  }
}

const notAboveReplicas = 'cannot be greater than status.replicas';
const aboveReplicas = (name: string) => ({ name, limit: 'replicas', detail: notAboveReplicas });
const availableReady = {
  name: 'availableReplicas',
  limit: 'readyReplicas',
  detail: 'cannot be greater than readyReplicas',
};

interface StatusRules {
  readonly counters: readonly string[];
  readonly bounds?: Parameters<typeof bounded>[2];
}

type WithStatus = { status?: { collisionCount?: number; replicas?: number; observedGeneration?: number | bigint } };

function statusOf({ counters: names, bounds = [] }: StatusRules) {
  return function* (object: WithStatus, old: WithStatus): Errors {
    const status = object.status ?? {};
    yield* counters(names)(status, 'status');
    yield* bounded(status, 'status', bounds);
    yield* notDecremented(status.collisionCount, old.status?.collisionCount, 'status.collisionCount');
  };
}

export const deploymentStatus = statusOf({
  counters: [
    ...['observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'],
    ...['unavailableReplicas', 'terminatingReplicas', 'collisionCount'],
  ],
  bounds: [...['updatedReplicas', 'readyReplicas', 'availableReplicas'].map(aboveReplicas), availableReady],
});

const replicaCounters = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
];

export const replicaSetStatus = statusOf({
  counters: [...replicaCounters, 'terminatingReplicas'],
  bounds: [...['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'].map(aboveReplicas), availableReady],
});

export const daemonSetStatus = statusOf({
  counters: [
    ...['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady', 'observedGeneration'],
    ...['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable', 'collisionCount'],
  ],
});

export const statefulSetStatus = statusOf({
  counters: [
    ...['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    ...['observedGeneration', 'collisionCount'],
  ],
  bounds: [
    ...['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'].map(aboveReplicas),
    { ...availableReady, detail: 'cannot be greater than status.readyReplicas' },
  ],
});

export function* controllerRevision({ revision }: apps.ControllerRevision): Errors {
  yield* nonNegative(revision, 'revision');
}

export function* controllerRevisionData({ data }: apps.ControllerRevision): Errors {
  if (data === undefined || data === null) yield requiredField('data', 'data is mandatory');
  else if (!isJsonObject(data)) yield requiredField('data', 'data must be a valid JSON object');
}

export function* controllerRevisionUpdate(object: apps.ControllerRevision, old: apps.ControllerRevision): Errors {
  if (sameValue(object.data, old.data)) return;
  yield invalidField('data', internalValue('plain', object.data), 'field is immutable');
}
