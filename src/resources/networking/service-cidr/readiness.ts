import type { KubernetesObject } from '../../../api/object.ts';
import type { ServiceCIDR } from '../../../schema/kubernetes/generated/types/networking-v1.ts';

/** Addresses may be given out of its ranges: it stays, and nobody has said that it is not ready. */
export function isReady({ metadata, status }: KubernetesObject & ServiceCIDR): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  const condition = (status?.conditions ?? []).find(({ type }) => type === 'Ready');
  return condition === undefined || condition.status === 'True';
}
