import { childPath, type FieldError, forbiddenField, invalidField, keyPath } from '../../../api/errors/field-error.ts';
import { through } from '../../../api/errors/findings.ts';
import { cloneData } from '../../../api/json/json.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { type Errors, isEmpty } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { qosClassOf } from '../../../schema/kubernetes/qos-class.ts';
import { metadataAndSpec } from './validation.ts';

/** Reports forbidden changes of volumes. */
type VolumeRule = (spec: core.PodSpec, old: core.PodSpec) => Errors;

/** Changes the CPU and memory of a running pod; what `volumeRule` allows of volumes may change too. */
export function* podResize(pod: core.Pod, old: core.Pod, volumeRule: VolumeRule): Errors {
  const { spec = {} } = pod;
  const before = old.spec ?? {};
  if (old.metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined) {
    return yield forbiddenField('[]', 'static pods cannot be resized');
  }
  if (before.os?.name === 'windows') return yield forbiddenField('[]', 'windows pods cannot be resized');
  const munged = cloneData(spec);
  const isFaulty = yield* through(podFaults(pod, old, munged));
  const isReordered = yield* through(containerOrders(spec, before));
  if (isReordered) return;
  const isChanged = yield* through(changes(spec, before, munged));
  const isRearranged = yield* through(volumeRule(spec, before));
  if (before.volumes === undefined) delete munged.volumes;
  else munged.volumes = cloneData(before.volumes);
  if (isFaulty || isChanged || isRearranged || sameValue(munged, before)) return;
  yield forbiddenField('spec', 'only cpu and memory resources are mutable');
}

function* podFaults(pod: core.Pod, old: core.Pod, munged: core.PodSpec): Errors {
  const { spec = {} } = pod;
  const before = old.spec ?? {};
  yield* metadataAndSpec(pod);
  yield* classChange(pod, old);
  yield* oldNode(old);
  if (hasAmounts(before.resources) || hasAmounts(spec.resources)) yield* podLevel(munged, spec, before);
}

function* changes(spec: core.PodSpec, before: core.PodSpec, munged: core.PodSpec): Errors {
  yield* removals(spec, before, 'initContainers');
  yield* removals(spec, before, 'containers');
  yield* otherChanges(munged, before);
  yield* initContainerChanges(munged, before);
}

function classChange(pod: core.Pod, old: core.Pod): FieldError[] {
  const before = old.status?.qosClass ?? qosClassOf(old.spec ?? {});
  if (before === qosClassOf(pod.spec ?? {})) return [];
  return [invalidField('spec', pod.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing')];
}

/** Nodes that support resizing report allocated resources. */
function oldNode({ status }: core.Pod): FieldError[] {
  const running = status?.containerStatuses?.find(({ state }) => state?.running !== undefined);
  if (running === undefined || running.resources !== undefined) return [];
  return [forbiddenField('spec', 'Pod running on node without support for resize')];
}

function hasAmounts(resources: core.ResourceRequirements | undefined): boolean {
  return !isEmpty(resources?.requests) || !isEmpty(resources?.limits);
}

type Amounts = { readonly [name: string]: string } | undefined;

function isReduced(amounts: Amounts = {}, old: Amounts = {}): boolean {
  return Object.keys(old).some((name) => !Object.hasOwn(amounts, name));
}

/** `amounts` with CPU and memory replaced by those of `old`. */
function withOldComputing(amounts: Amounts, old: Amounts): { [name: string]: string } | undefined {
  const { cpu: _cpu, memory: _memory, ...rest } = amounts ?? {};
  const { cpu, memory } = old ?? {};
  const merged = { ...rest, ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
  return Object.keys(merged).length === 0 ? undefined : merged;
}

function withOldComputingOf(
  resources: core.ResourceRequirements,
  old: core.ResourceRequirements = {},
): core.ResourceRequirements | undefined {
  const limits = withOldComputing(resources.limits, old.limits);
  const requests = withOldComputing(resources.requests, old.requests);
  const { claims } = resources;
  const merged = {
    ...(limits === undefined ? {} : { limits }),
    ...(requests === undefined ? {} : { requests }),
    ...(claims === undefined ? {} : { claims }),
  };
  return Object.keys(merged).length === 0 ? undefined : merged;
}

/** Sets the pod-level resources of `munged` to those that must not change. */
function* podLevel(munged: core.PodSpec, spec: core.PodSpec, old: core.PodSpec): Errors {
  if (old.resources !== undefined && spec.resources === undefined) {
    return yield forbiddenField('spec.resources', 'pod-level resources cannot be removed');
  }
  for (const kind of ['requests', 'limits'] as const) {
    if (old.resources === undefined || !isReduced(spec.resources?.[kind], old.resources[kind])) continue;
    yield forbiddenField(`spec.resources.${kind}`, `pod-level resource ${kind} cannot be removed`);
  }
  const kept = withOldComputingOf(munged.resources ?? {}, old.resources);
  if (kept === undefined) delete munged.resources;
  else munged.resources = kept;
  if (!sameValue(munged.resources, isEmpty(old.resources) ? undefined : old.resources)) {
    yield forbiddenField('spec', 'only cpu and memory resources are mutable at pod-level');
  }
}

function* containerOrders(spec: core.PodSpec, before: core.PodSpec): Errors {
  yield* containerOrder(spec, before, 'containers');
  yield* containerOrder(spec, before, 'initContainers');
}

type ContainerList = 'containers' | 'initContainers';

function* containerOrder(spec: core.PodSpec, old: core.PodSpec, list: ContainerList): Errors {
  const [now, before] = [spec[list] ?? [], old[list] ?? []];
  const path = `spec.${list}`;
  if (now.length !== before.length) return yield forbiddenField(path, `${list} may not be added or removed on resize`);
  for (const [index, { name }] of before.entries()) {
    if (now[index]?.name === name) continue;
    yield forbiddenField(childPath(keyPath(path, index), 'name'), `${list} may not be renamed or reordered on resize`);
  }
}

function* removals(spec: core.PodSpec, old: core.PodSpec, list: ContainerList): Errors {
  for (const [index, { resources: before }] of (old[list] ?? []).entries()) {
    const resources = spec[list]?.[index]?.resources;
    for (const kind of ['requests', 'limits'] as const) {
      if (!isReduced(resources?.[kind], before?.[kind])) continue;
      yield forbiddenField(`spec.${list}[${index}].resources.${kind}`, `resource ${kind} cannot be removed`);
    }
  }
}

/** Whether a container is unchanged apart from its CPU and memory, which are reset to the old ones. */
function isOtherwiseSame(container: core.Container, old: core.Container | undefined): boolean {
  const resources = withOldComputingOf(container.resources ?? {}, old?.resources);
  if (resources === undefined) delete container.resources;
  else container.resources = resources;
  const { resources: before, ...rest } = old ?? {};
  return sameValue(container, isEmpty(before) ? rest : { ...rest, resources: before });
}

function* otherChanges(munged: core.PodSpec, old: core.PodSpec): Errors {
  for (const [index, container] of (munged.containers ?? []).entries()) {
    if (isOtherwiseSame(container, old.containers?.[index])) continue;
    yield forbiddenField('spec', 'only cpu and memory resources are mutable');
  }
}

function* initContainerChanges(munged: core.PodSpec, old: core.PodSpec): Errors {
  for (const [index, container] of (munged.initContainers ?? []).entries()) {
    const path = keyPath('spec.initContainers', index);
    const isChanged = !sameValue(container, old.initContainers?.[index]);
    if (!isOtherwiseSame(container, old.initContainers?.[index])) {
      yield forbiddenField(path, 'only cpu and memory resources for init or sidecar containers are mutable');
    }
    if (!isChanged || container.restartPolicy === 'Always') continue;
    for (const { restartPolicy } of container.resizePolicy ?? []) {
      if (restartPolicy !== 'RestartContainer') continue;
      const detail = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
      yield forbiddenField(path, detail);
    }
  }
}

export function* fixedVolumes(spec: core.PodSpec, old: core.PodSpec): Errors {
  if (sameValue(spec.volumes, old.volumes)) return;
  const detail =
    'volumes are immutable on resize when InPlacePodVerticalScalingMemoryBackedVolumes feature gate is disabled';
  yield forbiddenField('spec.volumes', detail);
}
