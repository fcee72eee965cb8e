import {
  byGate,
  childPath,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  keyPath,
  notFoundField,
  requiredField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import { joined } from '../../../api/errors/findings.ts';
import { portNameErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { containerResourceName, resourceRequirements } from '../amounts/quantities.ts';
import {
  dnsLabel,
  type Errors,
  formErrors,
  isEmpty,
  oneOf,
  portNumber,
  required,
  requiredAnd,
  requiredOneOf,
} from '../rules/rules.ts';
import { isSet } from '../rules/set-fields.ts';
import { securityContext } from './container-security.ts';
import { environment, environmentSources } from './environment.ts';
import { pullPolicy } from './image-tag.ts';
import { hooks, type HookScope, noHooks } from './probes.ts';
import { volumeDevices, volumeMounts } from './volume-mounts.ts';
import type { Volumes } from './volumes.ts';

/** What the containers of a pod share. */
export interface ContainerScope extends HookScope {
  readonly volumes: Volumes;
  readonly claimNames: ReadonlySet<string>;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}

export const protocols = ['SCTP', 'TCP', 'UDP'];
const protocol = requiredOneOf(protocols);
const messagePolicy = requiredOneOf(['File', 'FallbackToLogsOnError']);
const containerName = requiredAnd(dnsLabel);
const image = required();

function* ports(list: readonly core.ContainerPort[], path: string): Errors {
  const names = new Set<string>();
  for (const [index, port] of list.entries()) {
    const itemPath = keyPath(path, index);
    const { name = '', containerPort = 0, hostPort = 0 } = port;
    if (name !== '') {
      const texts = portNameErrors(name);
      yield* formErrors(childPath(itemPath, 'name'), name, texts);
      if (texts.length === 0 && names.has(name)) yield duplicateField(childPath(itemPath, 'name'), name);
      if (texts.length === 0) names.add(name);
    }
    if (containerPort === 0) yield requiredField(childPath(itemPath, 'containerPort'));
    else yield* portNumber(containerPort, childPath(itemPath, 'containerPort'));
    if (hostPort !== 0) yield* portNumber(hostPort, childPath(itemPath, 'hostPort'));
    yield* protocol(port.protocol, childPath(itemPath, 'protocol'));
  }
}

function* resizePolicy(list: readonly core.ContainerResizePolicy[], path: string, restartPolicy: string): Errors {
  const seen = new Set<string>();
  for (const [index, { resourceName = '', restartPolicy: policy = '' }] of list.entries()) {
    if (seen.has(resourceName)) yield duplicateField(keyPath(path, index), resourceName);
    seen.add(resourceName);
    // These are reported at the list.
    yield* requiredOneOf(['cpu', 'memory'])(resourceName, path);
    yield* requiredOneOf(['NotRequired', 'RestartContainer'])(policy, path);
    if (restartPolicy === 'Never' && policy !== 'NotRequired') {
      yield invalidField(path, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
}

function common(container: core.Container, path: string, scope: ContainerScope): Errors {
  const { ports: ownPorts, env, envFrom, resources, resizePolicy: resizing, securityContext: context } = container;
  const requirements = resourceRequirements(containerResourceName, scope.claimNames);
  return joined(
    containerName(container.name, childPath(path, 'name')),
    image(container.image, childPath(path, 'image')),
    messagePolicy(container.terminationMessagePolicy, childPath(path, 'terminationMessagePolicy')),
    ownPorts ? ports(ownPorts, childPath(path, 'ports')) : [],
    env ? environment(env, childPath(path, 'env')) : [],
    envFrom ? environmentSources(envFrom, childPath(path, 'envFrom')) : [],
    container.volumeMounts ? volumeMounts(container, scope.volumes, childPath(path, 'volumeMounts')) : [],
    container.volumeDevices ? volumeDevices(container, scope.volumes, childPath(path, 'volumeDevices')) : [],
    pullPolicy(container.imagePullPolicy, childPath(path, 'imagePullPolicy')),
    resources ? requirements(resources, childPath(path, 'resources')) : [],
    resizing ? resizePolicy(resizing, childPath(path, 'resizePolicy'), scope.restartPolicy) : [],
    context ? securityContext(context, childPath(path, 'securityContext'), scope.hostUsers) : [],
  );
}

const withoutPolicy = 'must specify restartPolicy when restart rules are used';

function* restartRules(container: core.Container, path: string): Errors {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  const policyPath = childPath(path, 'restartPolicy');
  const rulesPath = childPath(path, 'restartPolicyRules');
  if (restartPolicy === undefined) yield requiredField(policyPath, withoutPolicy);
  else yield* oneOf(['Always', 'Never', 'OnFailure'])(restartPolicy, policyPath);
  if (rules.length > 20) yield tooManyField(rulesPath, rules.length, 20);
  for (const [index, { action = '', exitCodes }] of rules.entries()) {
    const itemPath = keyPath(rulesPath, index);
    const actionPath = childPath(itemPath, 'action');
    yield* byGate('RestartAllContainersOnContainerExits', {
      on: oneOf(['Restart', 'RestartAllContainers'])(action, actionPath),
      off: oneOf(['Restart'])(action, actionPath),
    });
    const codesPath = childPath(itemPath, 'exitCodes');
    if (exitCodes === undefined) {
      yield requiredField(codesPath, 'must be specified');
      continue;
    }
    yield* oneOf(['In', 'NotIn'])(exitCodes.operator ?? '', childPath(codesPath, 'operator'));
    const count = exitCodes.values?.length ?? 0;
    if (count > 255) yield tooManyField(childPath(codesPath, 'values'), count, 255);
  }
}

export function* containers(spec: core.PodSpec, path: string, scope: ContainerScope): Errors {
  const list = spec.containers ?? [];
  if (list.length === 0) return yield requiredField(path);
  const names = new Set<string>();
  for (const [index, container] of list.entries()) {
    const itemPath = keyPath(path, index);
    const { name = '' } = container;
    yield* common(container, itemPath, scope);
    if (names.has(name)) yield duplicateField(childPath(itemPath, 'name'), name);
    names.add(name);
    yield* hooks(container, itemPath, scope);
    if (container.restartPolicy !== undefined || !isEmpty(container.restartPolicyRules)) {
      yield* restartRules(container, itemPath);
    }
  }
  yield* hostPortConflicts(list, path);
}

function* hostPortConflicts(list: readonly core.Container[], path: string): Errors {
  const seen = new Set<string>();
  for (const [index, container] of list.entries()) {
    for (const [portIndex, { protocol = '', hostIP = '', hostPort = 0 }] of (container.ports ?? []).entries()) {
      if (hostPort === 0) continue;
      const port = `${protocol}/${hostIP}/${hostPort}`;
      const portsPath = childPath(keyPath(path, index), 'ports');
      if (seen.has(port)) yield duplicateField(childPath(keyPath(portsPath, portIndex), 'hostPort'), port);
      seen.add(port);
    }
  }
}

export function isSidecar(container: core.Container): boolean {
  return container.restartPolicy === 'Always';
}

export function* initContainers(spec: core.PodSpec, path: string, scope: ContainerScope): Errors {
  const names = new Set((spec.containers ?? []).map(({ name = '' }) => name));
  for (const [index, container] of (spec.initContainers ?? []).entries()) {
    const itemPath = keyPath(path, index);
    const { name = '' } = container;
    yield* common(container, itemPath, scope);
    if (container.restartPolicy !== undefined) yield* restartRules(container, itemPath);
    else if (!isEmpty(container.restartPolicyRules)) {
      yield requiredField(childPath(itemPath, 'restartPolicy'), withoutPolicy);
    }
    if (names.has(name)) yield duplicateField(childPath(itemPath, 'name'), name);
    else if (name !== '') names.add(name);
    yield* hostPortConflicts([container], path);
    if (isSidecar(container)) yield* hooks(container, itemPath, scope);
    else {
      yield* noHooks(container, itemPath);
      yield* noRestartOnResize(container, itemPath);
    }
  }
}

function* noRestartOnResize(container: core.Container, path: string): Errors {
  for (const [index, { restartPolicy = '' }] of (container.resizePolicy ?? []).entries()) {
    if (restartPolicy !== 'RestartContainer') continue;
    const policyPath = childPath(keyPath(childPath(path, 'resizePolicy'), index), 'restartPolicy');
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    yield invalidField(policyPath, restartPolicy, detail);
  }
}

const notForEphemeral = 'cannot be set for an Ephemeral Container';
const refusedOnEphemeral: readonly (keyof core.Container)[] = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];

export function* ephemeralContainers(spec: core.PodSpec, path: string, scope: ContainerScope): Errors {
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name = '' }) => name));
  const names = new Set(others);
  for (const [index, container] of (spec.ephemeralContainers ?? []).entries()) {
    const itemPath = keyPath(path, index);
    const { name = '', targetContainerName = '' } = container;
    yield* common(container, itemPath, scope);
    yield* trimmedImage(container, itemPath);
    if (names.has(name)) yield duplicateField(childPath(itemPath, 'name'), name);
    names.add(name);
    if (targetContainerName !== '' && !others.has(targetContainerName)) {
      yield notFoundField(childPath(itemPath, 'targetContainerName'), targetContainerName);
    }
    for (const field of refusedOnEphemeral) {
      if (isThere(container, field)) yield forbiddenField(childPath(itemPath, field), notForEphemeral);
    }
    for (const [number, mount] of (container.volumeMounts ?? []).entries()) {
      for (const field of ['subPath', 'subPathExpr'] as const) {
        const fieldPath = childPath(keyPath(childPath(itemPath, 'volumeMounts'), number), field);
        if (!isEmpty(mount[field])) yield forbiddenField(fieldPath, notForEphemeral);
      }
    }
  }
}

/** Resources are not a pointer: they are there if anything in them is. */
function isThere(container: core.EphemeralContainer, field: keyof core.Container): boolean {
  const { resources = {} } = container;
  if (field !== 'resources') return isSet(container, field);
  return ['limits', 'requests', 'claims'].some((part) => isSet(resources, part));
}

/** Image names may be surrounded by spaces in templates, but not in pods. */
export function trimmedImage({ image = '' }: core.Container, path: string): FieldError[] {
  if (image.trim() === image) return [];
  return [invalidField(childPath(path, 'image'), image, 'must not have leading or trailing whitespace')];
}
