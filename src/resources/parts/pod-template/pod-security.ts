import {
  byGate,
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
  under,
} from '../../../api/errors/field-error.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { each, type Errors, idNumber, oneOf } from '../rules/rules.ts';
import { appArmorProfile, containersOf, seccompProfile, windowsOptions } from './container-security.ts';

const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlName = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;
const sysctlExpression = new RegExp(sysctlName);

export function* podSecurityContext(spec: core.PodSpec, path: string): Errors {
  const { securityContext: context } = spec;
  if (context === undefined) return;
  for (const name of ['fsGroup', 'runAsUser', 'runAsGroup'] as const) {
    yield* idNumber(context[name], childPath(path, name));
  }
  yield* each(idNumber)(context.supplementalGroups, childPath(path, 'supplementalGroups'));
  if (context.sysctls) yield* sysctls(spec, context.sysctls, childPath(path, 'sysctls'));
  yield* oneOf(['Always', 'OnRootMismatch'])(context.fsGroupChangePolicy, childPath(path, 'fsGroupChangePolicy'));
  yield* seccompProfile(context.seccompProfile, childPath(path, 'seccompProfile'));
  yield* windowsOptions(context.windowsOptions, childPath(path, 'windowsOptions'));
  yield* appArmorProfile(context.appArmorProfile, childPath(path, 'appArmorProfile'));
  yield* oneOf(['Merge', 'Strict'])(context.supplementalGroupsPolicy, childPath(path, 'supplementalGroupsPolicy'));
  const labelsPath = childPath(path, 'seLinuxChangePolicy');
  yield* byGate('SELinuxMount', {
    on: oneOf(['MountOption', 'Recursive'])(context.seLinuxChangePolicy, labelsPath),
    off: oneOf(['Recursive'])(context.seLinuxChangePolicy, labelsPath),
  });
}

function* sysctls(spec: core.PodSpec, list: readonly core.Sysctl[], path: string): Errors {
  const names = new Set<string>();
  for (const [index, { name = '' }] of list.entries()) {
    const namePath = childPath(keyPath(path, index), 'name');
    if (name === '') yield requiredField(namePath);
    else if (name.length > 253 || !sysctlExpression.test(name)) {
      yield invalidField(namePath, name, `must have at most 253 characters and match regex ${sysctlName}`);
    } else if (names.has(name)) yield duplicateField(namePath, name);
    const namespace = sysctlNamespace(name);
    if (spec.hostNetwork && namespace === 'net') {
      yield invalidField(namePath, name, "may not be specified when 'hostNetwork' is true");
    } else if (spec.hostIPC && namespace === 'ipc') {
      yield invalidField(namePath, name, "may not be specified when 'hostIPC' is true");
    }
    names.add(name);
  }
}

const ipcSysctls: ReadonlySet<string> = new Set(['kernel.sem', 'kernel.shm_rmid_forced']);

function sysctlNamespace(name: string): 'net' | 'ipc' | undefined {
  // The first separator decides whether dots or slashes separate.
  const swapped = /[./]/.exec(name)?.[0] === '/' ? name.replace(/[./]/g, (c) => (c === '/' ? '.' : '/')) : name;
  const [dotted = ''] = swapped.split('*', 1);
  if (dotted.startsWith('net.')) return 'net';
  if (ipcSysctls.has(dotted) || /^(kernel\.shm|kernel\.msg|fs\.mqueue\.)/.test(dotted)) return 'ipc';
  return undefined;
}

/** What a pod with its own user namespace cannot share with its node. */
export function* sharedNamespaces(spec: core.PodSpec, path: string): Errors {
  const detail = 'when `hostUsers` is false';
  if (spec.hostNetwork) {
    yield* under('UserNamespacesHostNetworkSupport off', [forbiddenField(childPath(path, 'hostNetwork'), detail)]);
  }
  if (spec.hostPID) yield forbiddenField(childPath(path, 'HostPID'), detail);
  if (spec.hostIPC) yield forbiddenField(childPath(path, 'HostIPC'), detail);
  for (const { container, path: containerPath } of containersOf(spec, path)) {
    if (container.volumeDevices?.length) yield forbiddenField(childPath(containerPath, 'volumeDevices'), detail);
  }
}

type Annotations = { readonly [key: string]: string };

const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccomp = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmor = 'container.apparmor.security.beta.kubernetes.io/';

/** Deprecated annotations must agree with the fields that replaced them. */
export function profileAnnotations(annotations: Annotations, spec: core.PodSpec, path: string): Errors {
  for (const key in annotations) {
    if (key === seccompOfPod || key.startsWith(seccomp) || key.startsWith(appArmor)) {
      return agreements(annotations, spec, path);
    }
  }
  return [];
}

function* agreements(annotations: Annotations, spec: core.PodSpec, path: string): Errors {
  const containers = containersOf(spec, path);
  yield* seccompAgreement(annotations[seccompOfPod], spec.securityContext, path);
  for (const { container, path: containerPath } of containers) {
    const annotation = annotations[`${seccomp}${container.name ?? ''}`];
    yield* seccompAgreement(annotation, container.securityContext, containerPath);
  }
  if (spec.os?.name === 'windows') return;
  for (const { container, path: containerPath } of containers) {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = annotations[`${appArmor}${container.name ?? ''}`];
    if (profile === undefined || annotation === undefined) continue;
    const words = { unconfined: ['unconfined'], default: ['runtime/default'], kind: 'apparmor' } as const;
    yield* agreement(annotation, profile, childPath(containerPath, 'securityContext.appArmorProfile'), words);
  }
}

type Profile = core.SeccompProfile;

function seccompAgreement(
  annotation: string | undefined,
  context: { readonly seccompProfile?: Profile } | undefined,
  path: string,
): Errors {
  if (annotation === undefined || context?.seccompProfile === undefined) return [];
  const words = {
    unconfined: ['unconfined'],
    default: ['runtime/default', 'docker/default'],
    kind: 'seccomp',
  } as const;
  return agreement(annotation, context.seccompProfile, childPath(path, 'securityContext.seccompProfile'), words);
}

interface Words {
  readonly unconfined: readonly string[];
  readonly default: readonly string[];
  readonly kind: string;
}

function* agreement(annotation: string, { type, localhostProfile }: Profile, path: string, words: Words): Errors {
  const differs = forbiddenField(childPath(path, 'type'), `${words.kind} type in annotation and field must match`);
  if (type === 'Unconfined' && !words.unconfined.includes(annotation)) yield differs;
  if (type === 'RuntimeDefault' && !words.default.includes(annotation)) yield differs;
  if (type !== 'Localhost') return;
  if (!annotation.startsWith('localhost/')) yield differs;
  else if (annotation.slice('localhost/'.length) !== localhostProfile) {
    const detail = `${words.kind} profile in annotation and field must match`;
    yield forbiddenField(childPath(path, 'localhostProfile'), detail);
  }
}
