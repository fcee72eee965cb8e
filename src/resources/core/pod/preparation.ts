import { allOf } from '../../../api/errors/findings.ts';
import { getOwn } from '../../../api/json/json.ts';
import type { AppArmorProfile, Container, Pod, PodSpec } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { LabelSelector } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { appArmorProfile, appArmorProfileOf } from '../../parts/pod-template/container-security.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

type Labels = { readonly [label: string]: string };

/** Merges matchLabelKeys into selectors of affinity, with the pod's own label values. */
export function applyLabelKeys({ metadata, spec = {} }: Pod): void {
  const labels = metadata?.labels ?? {};
  for (const field of ['podAffinity', 'podAntiAffinity'] as const) {
    const affinity = spec.affinity?.[field];
    if (affinity === undefined) continue;
    const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const required = affinity.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const terms = [...preferred.map(({ podAffinityTerm = {} }) => podAffinityTerm), ...required];
    for (const { labelSelector, matchLabelKeys, mismatchLabelKeys } of terms) {
      extend(labelSelector, 'In', valuesOf(matchLabelKeys, labels));
      extend(labelSelector, 'NotIn', valuesOf(mismatchLabelKeys, labels));
    }
  }
}

/** Merges `matchLabelKeys` of topology spread constraints into their selectors. */
export function applySpreadLabelKeys({ metadata, spec = {} }: Pod): void {
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? []) {
    extend(labelSelector, 'In', valuesOf(matchLabelKeys, metadata?.labels ?? {}));
  }
}

function valuesOf(keys: readonly string[] = [], labels: Labels): [key: string, value: string][] {
  return keys.flatMap((key): [string, string][] => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return value === undefined ? [] : [[key, value]];
  });
}

function extend(selector: LabelSelector | undefined, operator: string, values: readonly [string, string][]): void {
  if (selector === undefined || values.length === 0) return;
  const added = values.map(([key, value]) => ({ key, operator, values: [value] }));
  selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added];
}

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

const deprecation = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/** Warnings of a pod's preparation, until they are requested. */
const preparationWarnings = new WeakMap<object, readonly string[]>();

/** Warnings about changes made by `applyAppArmorAnnotations`. */
export function appArmorWarnings(pod: Pod): readonly string[] {
  return preparationWarnings.get(pod) ?? [];
}

/** Turns AppArmor annotations into fields. */
export function applyAppArmorAnnotations(pod: Pod): void {
  const { metadata, spec = {} } = pod;
  if (spec.os?.name === 'windows' || metadata?.annotations === undefined) return;
  const { annotations } = metadata;
  const warnings: string[] = [];
  for (const container of containersOf(spec)) {
    const key = `${appArmorPrefix}${container.name ?? ''}`;
    const annotation = getOwn(annotations, key);
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) continue;
    const profile = profileOf(annotation);
    if (profile !== undefined && sameValue(profile, spec.securityContext?.appArmorProfile)) continue;
    if (profile !== undefined) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    warnings.push(`metadata.annotations[${key}]: ${deprecation}`);
  }
  if (warnings.length > 0) preparationWarnings.set(pod, warnings);
}

function containersOf({
  initContainers = [],
  containers = [],
  ephemeralContainers = [],
}: PodSpec): readonly Container[] {
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/** Undefined for invalid profiles. */
function profileOf(annotation: string): AppArmorProfile | undefined {
  const profile = appArmorProfileOf(annotation);
  return profile === undefined || allOf(appArmorProfile(profile, '')).length > 0 ? undefined : profile;
}
