import {
  childPath,
  type FieldError,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { allOf } from '../../../api/errors/findings.ts';
import { keepNotes, takeMember } from '../../../api/json/written-notes.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { ObjectMeta } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { podAnnotationChanges, podAnnotations } from '../../parts/pod-template/annotations.ts';
import { trimmedImage } from '../../parts/pod-template/containers.ts';
import { profileAnnotations } from '../../parts/pod-template/pod-security.ts';
import { podSpec } from '../../parts/pod-template/pod-spec.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { lastByName } from '../../parts/rules/repetitions.ts';
import { each, type Errors, inRange, isEmpty, nonNegative } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { internalDiff } from '../../parts/rules/unified-diff.ts';
import { shownField } from '../../parts/rules/set-fields.ts';

export function* metadataAndSpec(pod: core.Pod): Errors {
  const { metadata = {}, spec = {} } = pod;
  yield* podAnnotations(metadata.annotations ?? {}, spec, 'metadata.annotations');
  yield* wholeSpec(metadata, spec);
}

function* wholeSpec(metadata: ObjectMeta, spec: core.PodSpec): Errors {
  yield* podSpec(spec, 'spec', { meta: metadata });
  if (isEmpty(spec.serviceAccountName)) {
    for (const [index, volume] of (spec.volumes ?? []).entries()) {
      for (const [number, source] of (volume.projected?.sources ?? []).entries()) {
        if (!source.serviceAccountToken) continue;
        const tokenPath = `spec.volumes[${index}].projected.sources[${number}].serviceAccountToken`;
        yield forbiddenField(tokenPath, 'must not be specified when serviceAccountName is not set');
      }
    }
  }
  yield* nonNegative(spec.terminationGracePeriodSeconds, 'spec.terminationGracePeriodSeconds');
  for (const list of ['containers', 'initContainers'] as const) {
    yield* each<core.Container>(trimmedImage)(spec[list], `spec.${list}`);
  }
}

export function* validatePod(pod: core.Pod): Errors {
  const { spec = {} } = pod;
  yield* metadataAndSpec(pod);
  if (!isEmpty(spec.ephemeralContainers)) yield forbiddenField('spec.ephemeralContainers', 'cannot be set on create');
  if (!isEmpty(spec.nodeName) && !isEmpty(spec.schedulingGates)) {
    yield forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared');
  }
  yield* profileAnnotations(pod.metadata?.annotations ?? {}, spec, 'spec');
}

const updatable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

export function* validatePodUpdate(pod: core.Pod, old: core.Pod): Errors {
  const { metadata = {}, spec = {} } = pod;
  const { annotations = {} } = metadata;
  const isKnown = spec === old.spec && isKnownValid(metadata, spec);
  yield* podAnnotations(annotations, spec, 'metadata.annotations');
  if (!isKnown) yield* wholeSpec(metadata, spec);
  yield* podAnnotationChanges(annotations, old.metadata?.annotations ?? {}, 'metadata.annotations');
  yield* podAnnotations(annotations, spec, 'metadata.annotations');
  if (!isKnown) yield* specUpdate(spec, old.spec ?? {});
}

/** Specs of stored pods that are valid, the same in memory as long as they do not change. */
const validSpecs = new WeakSet<core.PodSpec>();

/** Whether the spec of a stored pod has no errors. Those of resource claims depend on what may change beside it too. */
function isKnownValid(metadata: ObjectMeta, spec: core.PodSpec): boolean {
  if (validSpecs.has(spec)) return true;
  if (spec.resourceClaims !== undefined) return false;
  for (const _ of wholeSpec(metadata, spec)) return false;
  for (const _ of specUpdate(spec, spec)) return false;
  validSpecs.add(spec);
  return true;
}

function* specUpdate(spec: core.PodSpec, old: core.PodSpec): Errors {
  for (const list of ['containers', 'initContainers'] as const) {
    const errors = containerUpdates(spec[list] ?? [], old[list] ?? [], childPath('spec', list));
    yield* errors;
    if (errors[0]?.type === 'FieldValueForbidden') return;
  }
  const deadlineErrors = deadlineUpdate(spec, old);
  yield* deadlineErrors;
  if (deadlineErrors.length > 0 && spec.activeDeadlineSeconds !== undefined) return;
  if (sameValue(spec, old)) return;
  yield* addedTolerations(spec.tolerations ?? [], old.tolerations ?? []);
  yield* deletedGates(spec.schedulingGates ?? [], old.schedulingGates ?? []);
  const munged = withUpdatableFieldsOf(spec, old);
  if (!isEmpty(old.schedulingGates)) yield* gatedPlacement(munged, old);
  if (sameValue(munged, old)) return;
  const diff = internalDiff('core.PodSpec', old, munged);
  yield forbiddenField('spec', `pod updates may not change fields other than ${updatable}\n${diff}`);
}

function containerUpdates(list: readonly core.Container[], old: readonly core.Container[], path: string): FieldError[] {
  if (list.length !== old.length) return [forbiddenField(path, 'pod updates may not add or remove containers')];
  return list.flatMap((container, index) => [
    ...(isEmpty(container.image) ? [requiredField(childPath(keyPath(path, index), 'image'))] : []),
    ...trimmedImage(container, keyPath(path, index)),
  ]);
}

function deadlineUpdate(spec: core.PodSpec, old: core.PodSpec): FieldError[] {
  const path = 'spec.activeDeadlineSeconds';
  const [value, before] = [spec.activeDeadlineSeconds, old.activeDeadlineSeconds];
  if (value === undefined) {
    if (before === undefined) return [];
    return [invalidField(path, null, 'must not update from a positive integer to nil value')];
  }
  const outside = allOf(inRange(0, 2147483647)(value, path));
  if (outside.length > 0) return outside;
  if (before === undefined || before >= value) return [];
  return [invalidField(path, value, 'must be less than or equal to previous value')];
}

function* addedTolerations(list: readonly core.Toleration[], old: readonly core.Toleration[]): Errors {
  const withoutSeconds = ({ key = '', operator = '', value = '', effect = '' }: core.Toleration): string =>
    JSON.stringify([key, operator, value, effect]);
  const now = new Set(list.map(withoutSeconds));
  if (!old.every((toleration) => now.has(withoutSeconds(toleration)))) {
    yield forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds');
  }
}

function* deletedGates(gates: readonly core.PodSchedulingGate[], old: readonly core.PodSchedulingGate[]): Errors {
  const before = new Set(old.map(({ name = '' }) => name));
  for (const [index, { name = '' }] of gates.entries()) {
    if (before.has(name)) continue;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    yield forbiddenField(`spec.schedulingGates[${index}].name`, detail);
  }
}

/** `spec` with the mutable fields reset to the old values: any remaining difference is an error. */
function withUpdatableFieldsOf(spec: core.PodSpec, old: core.PodSpec): core.PodSpec {
  const munged = keepNotes(spec, { ...spec });
  for (const list of ['containers', 'initContainers'] as const) {
    if (spec[list] === undefined) continue;
    munged[list] = spec[list].map((container, index) => carryOver(container, old[list]?.[index] ?? {}, ['image']));
  }
  const graceOfOne = spec.terminationGracePeriodSeconds === 1 && (old.terminationGracePeriodSeconds ?? 0) < 0;
  const grace = graceOfOne ? (['terminationGracePeriodSeconds'] as const) : [];
  return carryOver(munged, old, ['activeDeadlineSeconds', 'schedulingGates', 'tolerations', ...grace]);
}

function carryOver<T extends object>(value: T, old: T, names: readonly (keyof T & string)[]): T {
  const result = keepNotes(value, { ...value });
  for (const name of names) takeMember(result, old, name);
  return result;
}

/** The scheduling constraints of gated pods may be tightened, but not loosened. Modifies `munged`. */
function* gatedPlacement(munged: core.PodSpec, old: core.PodSpec): Errors {
  const selector = munged.nodeSelector ?? {};
  const lost = Object.entries(old.nodeSelector ?? {}).some(([key, value]) => selector[key] !== value);
  if (lost) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    yield invalidField('spec.nodeSelector', shownField(munged, 'nodeSelector'), detail);
  }
  takeMember(munged, old, 'nodeSelector');
  const before = old.affinity?.nodeAffinity;
  const now = munged.affinity?.nodeAffinity;
  if (sameValue(now, before)) return;
  yield* affinityAdditions(now, before);
  const affinity = keepNotes(munged.affinity ?? {}, { ...munged.affinity });
  if (before === undefined) delete affinity.nodeAffinity;
  else affinity.nodeAffinity = before;
  if (old.affinity === undefined && isEmpty(affinity)) delete munged.affinity;
  else munged.affinity = affinity;
}

function* affinityAdditions(now: core.NodeAffinity | undefined, before: core.NodeAffinity | undefined): Errors {
  const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
  const oldTerms = before?.[hard]?.nodeSelectorTerms ?? [];
  const terms = now?.[hard]?.nodeSelectorTerms ?? [];
  const path = `spec.affinity.nodeAffinity.${hard}.nodeSelectorTerms`;
  if (oldTerms.length === 0) return;
  if (oldTerms.length !== terms.length) {
    const value = internalValue('[]core.NodeSelectorTerm', now?.[hard]?.nodeSelectorTerms);
    return yield invalidField(path, value, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed');
  }
  for (const [index, oldTerm] of oldTerms.entries()) {
    const term = terms[index] ?? {};
    if (hasOnlyAdditions(term, oldTerm)) continue;
    const value = internalValue('core.NodeSelectorTerm', term);
    yield invalidField(keyPath(path, index), value, 'only additions are allowed (no mutations or deletions)');
  }
}

function hasOnlyAdditions(term: core.NodeSelectorTerm, old: core.NodeSelectorTerm): boolean {
  if (isEmpty(old.matchExpressions) && isEmpty(old.matchFields)) {
    return isEmpty(term.matchExpressions) && isEmpty(term.matchFields);
  }
  return (['matchExpressions', 'matchFields'] as const).every((name) => {
    const before = old[name] ?? [];
    return sameValue((term[name] ?? []).slice(0, before.length), before);
  });
}

export function* validateEphemeralContainersUpdate(pod: core.Pod, old: core.Pod): Errors {
  const annotations = pod.metadata?.annotations ?? {};
  const oldAnnotations = old.metadata?.annotations ?? {};
  if (oldAnnotations['kubernetes.io/config.mirror'] !== undefined) {
    return yield forbiddenField('[]', 'static pods do not support ephemeral containers');
  }
  yield* metadataAndSpec(pod);
  yield* podAnnotationChanges(annotations, oldAnnotations, 'metadata.annotations');
  yield* podAnnotations(annotations, pod.spec ?? {}, 'metadata.annotations');
  const path = 'spec.ephemeralContainers';
  const containers = lastByName(pod.spec?.ephemeralContainers ?? []);
  for (const before of old.spec?.ephemeralContainers ?? []) {
    const { name = '' } = before;
    const now = containers.get(name);
    if (now === undefined) yield forbiddenField(path, `existing ephemeral containers "${name}" may not be removed\n`);
    else if (!sameValue(before, now)) {
      const diff = internalDiff('core.EphemeralContainer', before, now);
      yield forbiddenField(path, `existing ephemeral containers "${name}" may not be changed\n${diff}`);
    }
  }
}
