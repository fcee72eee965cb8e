import type { Container, LifecycleHandler, Probe } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import {
  containersOf,
  counted,
  distinct,
  type EvaluatedPod,
  namesOf,
  plural,
  quoted,
  type Violation,
} from './violation.ts';

export function privileged(pod: EvaluatedPod): Violation | undefined {
  const bad = namesOf(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${counted('container', bad)} must not set securityContext.privileged=true`,
  };
}

export function allowPrivilegeEscalation(pod: EvaluatedPod): Violation | undefined {
  const bad = namesOf(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${counted('container', bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

/** Default capabilities of container runtimes. */
const usualCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

export function capabilitiesBaseline(pod: EvaluatedPod): Violation | undefined {
  const detail = addedCapabilities(pod, (capability) => usualCapabilities.has(capability));
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
}

export function capabilitiesRestricted(pod: EvaluatedPod): Violation | undefined {
  const keeping = namesOf(pod, ({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL') !== true);
  const details = [
    ...(keeping.length === 0
      ? []
      : [`${counted('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...[addedCapabilities(pod, (capability) => capability === 'NET_BIND_SERVICE') ?? []].flat(),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

function addedCapabilities(pod: EvaluatedPod, isAllowed: (capability: string) => boolean): string | undefined {
  const added = ({ securityContext }: Container): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((capability) => !isAllowed(capability));
  const bad = namesOf(pod, (container) => added(container).length > 0);
  if (bad.length === 0) return undefined;
  const forbidden = quoted(distinct(containersOf(pod.spec).flatMap(added)));
  return `${counted('container', bad)} must not include ${forbidden} in securityContext.capabilities.add`;
}

export function hostPorts(pod: EvaluatedPod): Violation | undefined {
  const portsOf = ({ ports = [] }: Container): string[] =>
    ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]));
  const bad = namesOf(pod, (container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = distinct(containersOf(pod.spec).flatMap(portsOf));
  const use = bad.length === 1 ? 'uses' : 'use';
  return {
    reason: 'hostPort',
    detail: `${counted('container', bad)} ${use} ${plural('hostPort', ports)} ${ports.join(', ')}`,
  };
}

export function procMount(pod: EvaluatedPod): Violation | undefined {
  const typeOf = ({ securityContext }: Container): string => securityContext?.procMount ?? 'Default';
  const bad = namesOf(pod, (container) => typeOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  const types = distinct(containersOf(pod.spec).map(typeOf)).filter((type) => type !== 'Default');
  return {
    reason: 'procMount',
    detail: `${counted('container', bad)} must not set securityContext.procMount to ${quoted(types)}`,
  };
}

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const hooks = ['postStart', 'preStop'] as const;

/** The kubelet connects to whatever host a probe names. */
export function probeHosts(pod: EvaluatedPod): Violation | undefined {
  const bad = distinct(namesOf(pod, (container) => hostsOf(container).length > 0));
  if (bad.length === 0) return undefined;
  const hosts = distinct(containersOf(pod.spec).flatMap(hostsOf));
  const use = bad.length === 1 ? 'uses' : 'use';
  return {
    reason: 'probe or lifecycle host',
    detail: `${counted('container', bad)} ${use} ${counted('probe or lifecycle host', hosts)}`,
  };
}

function hostsOf(container: Container): string[] {
  const handlers: readonly (Probe | LifecycleHandler | undefined)[] = [
    ...probes.map((probe) => container[probe]),
    ...hooks.map((hook) => container.lifecycle?.[hook]),
  ];
  return handlers
    .flatMap((handler) => [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? ''])
    .filter((host) => host !== '');
}
