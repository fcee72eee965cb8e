import {
  childPath,
  type ClusterPolicy,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../../../api/errors/field-error.ts';
import { dnsSubdomainErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { AppArmorProfile } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { descendingPath } from '../rules/forms.ts';
import { internalValue } from '../rules/internal-value.ts';
import { type Errors, formErrors, idNumber, oneOf } from '../rules/rules.ts';

// Security settings of containers, and the parts shared with pods.

/** The profile that an annotation value stands for. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const [, localhostProfile] = /^localhost\/(.+)$/s.exec(annotation) ?? [];
  return localhostProfile === undefined ? undefined : { type: 'Localhost', localhostProfile };
}

const clusterPolicy: ClusterPolicy = 'privileged';

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

export function* seccompProfile(profile: core.SeccompProfile | undefined, path: string): Errors {
  if (profile === undefined) return;
  const { type = '', localhostProfile } = profile;
  const typePath = childPath(path, 'type');
  const profilePath = childPath(path, 'localhostProfile');
  if (type === '') yield requiredField(typePath, 'type is required when seccompProfile is set');
  else yield* oneOf(profileTypes)(type, typePath);
  if (type === 'Localhost') {
    if (localhostProfile === undefined) yield requiredField(profilePath, 'must be set when seccomp type is Localhost');
    else yield* descendingPath(localhostProfile, profilePath);
  } else if (localhostProfile !== undefined) {
    const value = internalValue('core.SeccompProfile', profile);
    yield invalidField(profilePath, value, 'can only be set when seccomp type is Localhost');
  }
}

export function* appArmorProfile(profile: core.AppArmorProfile | undefined, path: string): Errors {
  if (profile === undefined) return;
  const { type = '', localhostProfile } = profile;
  const profilePath = childPath(path, 'localhostProfile');
  if (type === '') yield requiredField(childPath(path, 'type'), 'type is required when appArmorProfile is set');
  else if (!profileTypes.includes(type)) yield notSupportedField(childPath(path, 'type'), type, profileTypes);
  else if (type !== 'Localhost') {
    if (localhostProfile === undefined) return;
    yield invalidField(profilePath, localhostProfile, 'can only be set when AppArmor type is Localhost');
  } else if (localhostProfile === undefined) {
    yield requiredField(profilePath, 'must be set when AppArmor type is Localhost');
  } else {
    const trimmed = localhostProfile.trim();
    if (trimmed !== localhostProfile) {
      yield invalidField(profilePath, localhostProfile, 'must not be padded with whitespace');
    } else if (trimmed === '') yield requiredField(profilePath, 'must be set when AppArmor type is Localhost');
    if (Buffer.byteLength(localhostProfile) > 4095) yield tooLongField(profilePath, 4095);
  }
}

/** `hostUsers`: the pod uses the host's user namespace. */
export function* securityContext(context: core.SecurityContext, path: string, hostUsers: boolean): Errors {
  if (context.privileged === true) {
    yield { ...forbiddenField(childPath(path, 'privileged'), 'disallowed by cluster policy'), clusterPolicy };
  }
  yield* idNumber(context.runAsUser, childPath(path, 'runAsUser'));
  yield* idNumber(context.runAsGroup, childPath(path, 'runAsGroup'));
  if (context.procMount !== undefined) {
    const procPath = childPath(path, 'procMount');
    yield* oneOf(['Default', 'Unmasked'])(context.procMount, procPath);
    if (hostUsers && context.procMount === 'Unmasked') {
      yield invalidField(procPath, context.procMount, '`hostUsers` must be false to use `Unmasked`');
    }
  }
  yield* seccompProfile(context.seccompProfile, childPath(path, 'seccompProfile'));
  if (context.allowPrivilegeEscalation === false) yield* escalation(context, path);
  yield* windowsOptions(context.windowsOptions, childPath(path, 'windowsOptions'));
  yield* appArmorProfile(context.appArmorProfile, childPath(path, 'appArmorProfile'));
}

function* escalation(context: core.SecurityContext, path: string): Errors {
  const refuse = (setting: string) =>
    invalidField(
      path,
      internalValue('core.SecurityContext', context),
      `cannot set \`allowPrivilegeEscalation\` to false and ${setting}`,
    );
  if (context.privileged === true) yield refuse('`privileged` to true');
  for (const capability of context.capabilities?.add ?? []) {
    if (capability === 'CAP_SYS_ADMIN') yield refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
}

const dnsPart = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';

const userDomain = new RegExp(`^[^\\\\/:*?"<>|.][^\\\\/:*?"<>|]{0,14}$|^${dnsPart}(?:\\.${dnsPart})*$`);

export function* windowsOptions(options: core.WindowsSecurityContextOptions | undefined, path: string): Errors {
  if (options === undefined) return;
  const { gmsaCredentialSpecName: specName, gmsaCredentialSpec: spec, runAsUserName } = options;
  if (specName !== undefined) {
    yield* formErrors(childPath(path, 'gmsaCredentialSpecName'), specName, dnsSubdomainErrors(specName));
  }
  const specPath = childPath(path, 'gmsaCredentialSpec');
  if (spec === '') yield invalidField(specPath, spec, 'gmsaCredentialSpec cannot be an empty string');
  else if (spec !== undefined && Buffer.byteLength(spec) > 65536) {
    yield invalidField(specPath, spec, 'gmsaCredentialSpec size must be under 64 KiB');
  }
  if (runAsUserName === undefined) return;
  const texts = windowsUserErrors(runAsUserName);
  yield* formErrors(childPath(path, 'runAsUserName'), runAsUserName, texts);
}

function windowsUserErrors(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (/\p{Cc}/u.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const [domain, user = ''] = parts.length === 2 ? parts : [undefined, name];
  const errors: string[] = [];
  if (domain !== undefined && domain.length >= 256) {
    errors.push("runAsUserName's Domain length must be under 256 characters");
  }
  if (domain !== undefined && !userDomain.test(domain)) {
    errors.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') errors.push("runAsUserName's User cannot be empty");
  else if (user.length > 104) errors.push("runAsUserName's User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) errors.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    errors.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return errors;
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** A container and the path of its fields. */
export interface PlacedContainer {
  readonly path: string;
  readonly container: core.Container;
}

/** All containers of a pod in validation order; `path` is the pod spec's. */
export function containersOf(spec: core.PodSpec, path: string): readonly PlacedContainer[] {
  const placed: PlacedContainer[] = [];
  for (const list of containerLists) {
    const listPath = childPath(path, list);
    const containers: readonly core.Container[] = spec[list] ?? [];
    for (const [index, container] of containers.entries()) placed.push({ path: keyPath(listPath, index), container });
  }
  return placed;
}

const notOnWindows = 'cannot be set for a windows pod';

const podFieldsOfLinux = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as readonly (keyof core.PodSecurityContext)[];

const containerFieldsOfLinux = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as readonly (keyof core.SecurityContext)[];

/** For pods with `os.name: windows`. */
export function* windowsPod(spec: core.PodSpec, path: string): Errors {
  for (const name of podFieldsOfLinux) {
    const set = spec.securityContext?.[name] !== undefined;
    if (set) yield forbiddenField(`${path}.securityContext.${name}`, notOnWindows);
  }
  for (const name of ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'] as const) {
    if (spec[name] !== undefined) yield forbiddenField(childPath(path, name), notOnWindows);
  }
  for (const { container, path: containerPath } of containersOf(spec, path)) {
    for (const name of containerFieldsOfLinux) {
      const set = container.securityContext?.[name] !== undefined;
      if (set) yield forbiddenField(`${containerPath}.securityContext.${name}`, notOnWindows);
    }
  }
}

/** For pods with `os.name: linux`. */
export function* linuxPod(spec: core.PodSpec, path: string): Errors {
  const detail = 'windows options cannot be set for a linux pod';
  if (spec.securityContext?.windowsOptions) yield forbiddenField(`${path}.securityContext.windowsOptions`, detail);
  for (const { container, path: containerPath } of containersOf(spec, path)) {
    if (container.securityContext?.windowsOptions) {
      yield forbiddenField(`${containerPath}.securityContext.windowsOptions`, detail);
    }
  }
}

/** Windows HostProcess: all containers of a pod, or none. */
export function hostProcess(spec: core.PodSpec, path: string): Errors {
  const isForWindows = (container: core.Container): boolean => container.securityContext?.windowsOptions !== undefined;
  const concerns =
    spec.securityContext?.windowsOptions !== undefined || containerLists.some((list) => spec[list]?.some(isForWindows));
  return concerns ? hostProcesses(spec, path) : [];
}

function* hostProcesses(spec: core.PodSpec, path: string): Errors {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let count = 0;
  let processes = 0;
  for (const { container, path: containerPath } of containersOf(spec, path)) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    count++;
    if (ofPod !== undefined && own !== undefined && own !== ofPod) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      yield invalidField(`${containerPath}.securityContext.windowsOptions.hostProcess`, own, detail);
    }
    if (own ?? ofPod ?? false) processes++;
  }
  if (processes === 0) return;
  if (processes !== count) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    yield invalidField(path, '', detail);
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    yield invalidField(childPath(path, 'hostNetwork'), false, detail);
  }
  yield { ...forbiddenField(path, 'hostProcess containers are disallowed by cluster policy'), clusterPolicy };
}
