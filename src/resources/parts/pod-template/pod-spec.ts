import {
  childPath,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  keyPath,
  notFoundField,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../../../api/errors/field-error.ts';
import { joined } from '../../../api/errors/findings.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { annotationErrors } from '../../../api/validation/object-meta-validation.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { ObjectMeta } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { ipAddress } from '../addresses/addresses.ts';
import { containerResourceName, resourceRequirements } from '../amounts/quantities.ts';
import { lastByName, repetitions } from '../rules/repetitions.ts';
import {
  dnsLabel,
  dnsSubdomain,
  each,
  type Errors,
  inRange,
  isEmpty,
  labels,
  oneOf,
  qualifiedName,
  requiredOneOf,
} from '../rules/rules.ts';
import { affinity } from './affinity.ts';
import { podAnnotations } from './annotations.ts';
import { containersOf, hostProcess, linuxPod, windowsPod } from './container-security.ts';
import { containers, type ContainerScope, ephemeralContainers, initContainers } from './containers.ts';
import { podDns } from './dns.ts';
import { evictionResponders } from './eviction-responders.ts';
import { podSecurityContext, profileAnnotations, sharedNamespaces } from './pod-security.ts';
import { podLevelResources, resourceClaims } from './resources.ts';
import { tolerations, topologySpread } from './scheduling.ts';
import { volumes } from './volumes.ts';

/** `meta` is that of a pod; absent for templates. */
export interface PodSpecOptions {
  readonly meta?: ObjectMeta;
}

export function* podSpec(spec: core.PodSpec, path: string, { meta }: PodSpecOptions = {}): Errors {
  const gracePeriod = spec.terminationGracePeriodSeconds;
  if (gracePeriod === undefined) yield requiredField(childPath(path, 'terminationGracePeriodSeconds'));
  const wellFormed = new Map<string, core.Volume>();
  yield* volumes(spec.volumes ?? [], childPath(path, 'volumes'), { meta, wellFormed });
  const scope: ContainerScope = {
    gracePeriod,
    osName: spec.os === undefined ? undefined : (spec.os.name ?? ''),
    volumes: wellFormed,
    claimNames: new Set((spec.resourceClaims ?? []).flatMap(({ name = '' }) => (name === '' ? [] : [name]))),
    restartPolicy: spec.restartPolicy ?? '',
    hostUsers: spec.hostUsers ?? true,
  };
  if (spec.resourceClaims) yield* resourceClaims(spec.resourceClaims, childPath(path, 'resourceClaims'), meta);
  yield* containers(spec, childPath(path, 'containers'), scope);
  if (spec.initContainers) yield* initContainers(spec, childPath(path, 'initContainers'), scope);
  if (spec.ephemeralContainers) yield* ephemeralContainers(spec, childPath(path, 'ephemeralContainers'), scope);
  if (spec.resources) yield* podLevelResources(spec, path, scope.claimNames);
  if (spec.hostNetwork) yield* hostNetworkPorts(spec, path, meta !== undefined);
  yield* policies(spec, path);
  yield* references(spec, path);
  yield* placement(spec, path);
  if (spec.os) yield* operatingSystem(spec, spec.os, path);
  if (spec.schedulingGroup) yield* schedulingGroup(spec, spec.schedulingGroup, path);
  yield* fileReferences(spec, path);
  // Declared with the type: reported last.
  yield* evictionResponders(spec.evictionResponders, childPath(path, 'evictionResponders'));
}

const restartPolicy = requiredOneOf(['Always', 'OnFailure', 'Never']);
const dnsPolicy = requiredOneOf(['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']);
const readinessGates = each<core.PodReadinessGate>((gate, at) =>
  qualifiedName(gate.conditionType, childPath(at, 'conditionType')),
);

const sharedProcesses = 'ShareProcessNamespace and HostPID cannot both be enabled';

function policies(spec: core.PodSpec, path: string): Errors {
  const { topologySpreadConstraints: spread, hostnameOverride: hostname } = spec;
  const isShared = spec.hostPID && spec.shareProcessNamespace;
  const hasDns = spec.dnsConfig !== undefined || spec.dnsPolicy === 'None';
  return joined(
    restartPolicy(spec.restartPolicy, childPath(path, 'restartPolicy')),
    dnsPolicy(spec.dnsPolicy, childPath(path, 'dnsPolicy')),
    spec.nodeSelector ? labels(spec.nodeSelector, childPath(path, 'nodeSelector')) : [],
    isEmpty(spec.securityContext) ? [] : podSecurityContext(spec, childPath(path, 'securityContext')),
    isShared ? [invalidField(childPath(path, 'shareProcessNamespace'), true, sharedProcesses)] : [],
    spec.affinity ? affinity(spec.affinity, childPath(path, 'affinity')) : [],
    hasDns ? podDns(spec, childPath(path, 'dnsConfig')) : [],
    spec.readinessGates ? readinessGates(spec.readinessGates, childPath(path, 'readinessGates')) : [],
    spec.schedulingGates ? schedulingGates(spec.schedulingGates, childPath(path, 'schedulingGates')) : [],
    spread ? topologySpread(spread, childPath(path, 'topologySpreadConstraints')) : [],
    hostProcess(spec, path),
    spec.hostUsers === false ? sharedNamespaces(spec, path) : [],
    hostname === undefined ? [] : hostnameOverride(hostname, spec, childPath(path, 'hostnameOverride')),
  );
}

function* schedulingGates(gates: readonly core.PodSchedulingGate[], path: string): Errors {
  const isRepeated = repetitions();
  for (const [index, { name = '' }] of gates.entries()) {
    yield* qualifiedName(name, keyPath(path, index));
    if (isRepeated(name)) yield duplicateField(keyPath(path, index), name);
  }
}

function* hostnameOverride(name: string, spec: core.PodSpec, path: string): Errors {
  if (spec.setHostnameAsFQDN) yield forbiddenField(path, 'may not be specified when setHostnameAsFQDN is true');
  if (spec.hostNetwork) yield forbiddenField(path, 'may not be specified when hostNetwork is true');
  if (name.length > 64) yield tooLongField(path, 64);
  yield* dnsSubdomain(name, path);
}

/** Optional names of other objects. */
function references(spec: core.PodSpec, path: string): Errors {
  const { serviceAccountName = '', serviceAccount = '', activeDeadlineSeconds: deadline } = spec;
  return joined(
    serviceAccountName === '' ? [] : dnsSubdomain(serviceAccountName, childPath(path, 'serviceAccountName')),
    serviceAccount === serviceAccountName ? [] : [otherAccount(serviceAccount, serviceAccountName, path)],
    isEmpty(spec.nodeName) ? [] : dnsSubdomain(spec.nodeName, childPath(path, 'nodeName')),
    deadline === undefined ? [] : activeDeadline(deadline, childPath(path, 'activeDeadlineSeconds')),
    isEmpty(spec.hostname) ? [] : dnsLabel(spec.hostname, childPath(path, 'hostname')),
    isEmpty(spec.subdomain) ? [] : dnsLabel(spec.subdomain, childPath(path, 'subdomain')),
  );
}

const activeDeadline = inRange(1, 2147483647);

function otherAccount(serviceAccount: string, serviceAccountName: string, path: string): FieldError {
  const detail = `must be the same as serviceAccountName: ${goQuote(serviceAccountName)}`;
  return invalidField(childPath(path, 'deprecatedServiceAccount'), serviceAccount, detail);
}

const hostAliases = each<core.HostAlias>(function* (alias, at) {
  yield* ipAddress(alias.ip, childPath(at, 'ip'));
  yield* each<string>(dnsSubdomain)(alias.hostnames, childPath(at, 'hostnames'));
});

const overheads = resourceRequirements(containerResourceName);

function placement(spec: core.PodSpec, path: string): Errors {
  const { priorityClassName, runtimeClassName, preemptionPolicy, overhead } = spec;
  return joined(
    spec.tolerations ? tolerations(spec.tolerations, childPath(path, 'tolerations')) : [],
    spec.hostAliases ? hostAliases(spec.hostAliases, childPath(path, 'hostAliases')) : [],
    isEmpty(priorityClassName) ? [] : dnsSubdomain(priorityClassName, childPath(path, 'priorityClassName')),
    runtimeClassName === undefined ? [] : dnsSubdomain(runtimeClassName, childPath(path, 'runtimeClassName')),
    preemption(preemptionPolicy, childPath(path, 'preemptionPolicy')),
    overhead === undefined ? [] : overheads({ limits: overhead }, childPath(path, 'overhead')),
  );
}

const preemptionPolicies = oneOf(['PreemptLowerPriority', 'Never']);

export function preemption(policy: string | undefined, path: string): Errors {
  return policy === '' ? [requiredField(path)] : preemptionPolicies(policy, path);
}

function* operatingSystem(spec: core.PodSpec, { name = '' }: core.PodOS, path: string): Errors {
  if (name === '') yield requiredField(childPath(path, 'os.name'));
  else if (name === 'linux') yield* linuxPod(spec, path);
  else if (name === 'windows') yield* windowsPod(spec, path);
  else yield notSupportedField(childPath(path, 'os'), name, ['linux', 'windows']);
}

function* schedulingGroup(spec: core.PodSpec, group: core.PodSchedulingGroup, path: string): Errors {
  const groupPath = childPath(path, 'schedulingGroup');
  const namePath = childPath(groupPath, 'podGroupName');
  if (group.podGroupName === undefined) yield invalidField(namePath, null, 'must specify one of: `podGroupName`');
  else yield* dnsSubdomain(group.podGroupName, namePath);
  if (!isEmpty(spec.evictionResponders))
    yield forbiddenField(groupPath, 'may not be set when evictionResponders is set');
}

function* hostNetworkPorts(spec: core.PodSpec, path: string, isPod: boolean): Errors {
  for (const [index, container] of (spec.containers ?? []).entries()) {
    const portsPath = childPath(keyPath(childPath(path, 'containers'), index), 'ports');
    for (const [portIndex, { hostPort = 0, containerPort = 0 }] of (container.ports ?? []).entries()) {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) continue;
      const portPath = childPath(keyPath(portsPath, portIndex), 'hostPort');
      yield invalidField(portPath, hostPort, 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}

/** A fileKeyRef must name an emptyDir volume of the pod. */
function* fileReferences(spec: core.PodSpec, path: string): Errors {
  let volumesByName: ReadonlyMap<string, core.Volume> | undefined;
  for (const { container, path: containerPath } of containersOf(spec, path)) {
    for (const [index, { valueFrom }] of (container.env ?? []).entries()) {
      if (valueFrom?.fileKeyRef === undefined) continue;
      const { volumeName = '' } = valueFrom.fileKeyRef;
      const namePath = `${containerPath}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      volumesByName ??= lastByName(spec.volumes ?? []);
      const volume = volumesByName.get(volumeName);
      if (volume === undefined) yield notFoundField(namePath, volumeName);
      else if (!volume.emptyDir) yield invalidField(namePath, volumeName, 'referenced volume must be of type emptyDir');
    }
  }
}

export function* podTemplateSpec(template: core.PodTemplateSpec, path: string): Errors {
  const { metadata = {}, spec = {} } = template;
  const annotationsPath = childPath(path, 'annotations');
  const specPath = childPath(path, 'spec');
  yield* labels(metadata.labels, childPath(path, 'labels'));
  yield* annotationErrors(metadata.annotations ?? {}, annotationsPath);
  yield* podAnnotations(metadata.annotations ?? {}, spec, annotationsPath);
  yield* podSpec(spec, specPath);
  yield* profileAnnotations(metadata.annotations ?? {}, spec, specPath);
  if (!isEmpty(spec.ephemeralContainers)) {
    const detail = 'ephemeral containers not allowed in pod template';
    yield forbiddenField(childPath(specPath, 'ephemeralContainers'), detail);
  }
}
