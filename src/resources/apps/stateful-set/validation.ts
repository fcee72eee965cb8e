import {
  byGate,
  childPath,
  type FieldError,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { annotationErrors } from '../../../api/validation/object-meta-validation.ts';
import type * as apps from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { podAnnotations } from '../../parts/pod-template/annotations.ts';
import { podTemplateSpec } from '../../parts/pod-template/pod-spec.ts';
import { atMost100Percent, intOrPercent, numberOf } from '../../parts/rules/counts.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import {
  dnsLabel,
  each,
  type Errors,
  immutableMessage,
  isEmpty,
  labels,
  nonNegative,
  type Rule,
} from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { isEmptySelector, selectorRequirements } from '../../parts/selectors/label-selectors.ts';
import { persistentVolumeClaimSpec } from '../../parts/volume-claim/validation.ts';
import {
  aboveReplicas,
  availableReady,
  runsForever,
  selectorOf,
  shownSelector,
  statusOf,
  templateLabels,
} from '../../parts/workload/validation.ts';
import { shownField } from '../../parts/rules/set-fields.ts';

export const newStatefulSet = ({ spec = {} }: apps.StatefulSet): Errors =>
  statefulSet(spec, (claims, path) =>
    each<core.PersistentVolumeClaim>((claim, itemPath) =>
      persistentVolumeClaimSpec(claim.spec ?? {}, childPath(itemPath, 'spec')),
    )(claims, path),
  );

function* statefulSet(
  spec: apps.StatefulSetSpec,
  claimTemplates: Rule<readonly core.PersistentVolumeClaim[] | undefined>,
  old?: apps.StatefulSetSpec,
): Errors {
  yield* podManagement(spec.podManagementPolicy ?? '', 'spec.podManagementPolicy');
  const isRecreated = old?.updateStrategy?.type === 'Recreate';
  yield* statefulSetStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy', isRecreated);
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

function* statefulSetStrategy(strategy: apps.StatefulSetUpdateStrategy, path: string, isRecreated: boolean): Errors {
  const { type = '', rollingUpdate } = strategy;
  const updatePath = childPath(path, 'rollingUpdate');
  if (type === '') yield requiredField(path);
  else if (type === 'OnDelete') {
    if (rollingUpdate === undefined) return;
    const value = internalValue('apps.RollingUpdateStatefulSetStrategy', rollingUpdate);
    yield invalidField(updatePath, value, "only allowed for updateStrategy 'RollingUpdate'");
  } else if (type !== 'RollingUpdate') {
    yield* recreation(strategy, path, isRecreated);
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

/** Without the gate StatefulSetRecreateStrategy, only sets that already use it may have the strategy `Recreate`. */
function* recreation(strategy: apps.StatefulSetUpdateStrategy, path: string, isRecreated: boolean): Errors {
  const { type, rollingUpdate } = strategy;
  const value = internalValue('apps.StatefulSetUpdateStrategy', strategy);
  const open: FieldError[] = [];
  if (type !== 'Recreate') open.push(invalidField(path, value, "must be 'RollingUpdate', 'OnDelete', or 'Recreate'"));
  else if (rollingUpdate !== undefined) {
    const given = internalValue('apps.RollingUpdateStatefulSetStrategy', rollingUpdate);
    open.push(invalidField(childPath(path, 'rollingUpdate'), given, "only allowed for updateStrategy 'RollingUpdate'"));
  }
  if (isRecreated) return yield* open;
  const off = [invalidField(path, value, "must be 'RollingUpdate' or 'OnDelete'")];
  yield* byGate('StatefulSetRecreateStrategy', { on: open, off });
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

/** The template as its pods will see it: with a volume per claim, and without names that the controller sets. */
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
  yield* statefulSet(object.spec ?? {}, () => [], old.spec);
  const fixed = ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'] as const;
  for (const name of fixed) {
    const [value, before] = [object.spec?.[name], old.spec?.[name]];
    if (sameValue(value, before)) continue;
    const shown =
      name === 'volumeClaimTemplates'
        ? internalValue('[]core.PersistentVolumeClaim', shownField(object.spec ?? {}, name))
        : name === 'selector'
          ? shownSelector(object.spec?.selector)
          : (object.spec?.[name] ?? '');
    yield invalidField(childPath('spec', name), shown, immutableMessage);
  }
}

export const statefulSetStatus = statusOf({
  counters: [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
    'observedGeneration',
    'collisionCount',
  ],
  bounds: [
    ...['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'].map(aboveReplicas),
    { ...availableReady, detail: 'cannot be greater than status.readyReplicas' },
  ],
});
