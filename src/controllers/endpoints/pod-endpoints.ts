import { formatIpAddress, parseIpAddress } from '../../api/values/ip-address.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Service } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { hasEnded, type StoredPod } from '../pods.ts';

export type StoredService = KubernetesObject & Service;

export const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';
export const headlessLabel = 'service.kubernetes.io/headless';

export function isReady({ status }: StoredPod): boolean {
  return (status?.conditions ?? []).find(({ type }) => type === 'Ready')?.status === 'True';
}

export function isTerminating({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Whether it has an address and has not terminated. */
export function isReachable(pod: StoredPod): boolean {
  const { podIP = '', podIPs = [] } = pod.status ?? {};
  return !hasEnded(pod) && (podIP !== '' || podIPs.length > 0);
}

/** The addresses of one family, in canonical form. */
export function addressesOf({ status }: StoredPod, family: 4 | 6): readonly string[] {
  return (status?.podIPs ?? []).flatMap(({ ip = '' }) => {
    const address = parseIpAddress(withoutZeros(ip));
    return address?.family === family ? [formatIpAddress(address)] : [];
  });
}

/** Addresses of older objects may have leading zeros, which never meant octal. */
function withoutZeros(ip: string): string {
  if (ip.includes(':')) return ip;
  return ip
    .split('.')
    .map((part) => String(Number(part)))
    .join('.');
}

export function hostnameOf({ metadata, spec }: StoredPod, service: StoredService): string | undefined {
  const isNamed = (spec?.hostname ?? '') !== '' && spec?.subdomain === service.metadata.name;
  return isNamed && metadata.namespace === service.metadata.namespace ? spec?.hostname : undefined;
}

export function isHeadless({ spec }: StoredService): boolean {
  return spec?.clusterIP === 'None' || (spec?.clusterIP ?? '') === '';
}

/** Whether the change of a pod may change the endpoints of a service. */
export function hasMoved(before: StoredPod, now: StoredPod): boolean {
  const shown = (pod: StoredPod): string =>
    JSON.stringify([
      isReady(pod),
      hasEnded(pod),
      pod.metadata.deletionTimestamp,
      (pod.status?.podIPs ?? []).map(({ ip }) => ip),
      pod.spec?.nodeName,
    ]);
  return shown(before) !== shown(now);
}
