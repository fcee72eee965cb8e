import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { ServiceCIDR } from '../../../schema/kubernetes/generated/types/networking-v1.ts';

/** Whether addresses can be allocated from its ranges: it is not being deleted, and not marked unready. */
export function isReady({ metadata, status }: KubernetesObject & ServiceCIDR): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  const condition = (status?.conditions ?? []).find(({ type }) => type === 'Ready');
  return condition === undefined || condition.status === 'True';
}
