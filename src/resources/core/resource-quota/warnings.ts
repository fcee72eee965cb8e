import { compareQuantities, parseQuantity } from '../../../api/values/quantity.ts';
import type { ResourceQuota } from '../../../schema/kubernetes/generated/types/core-v1.ts';

/** CPU and memory may be given without the `requests.` prefix. */
const quotaResources = [
  { name: 'cpu', bare: true },
  { name: 'memory', bare: true },
  { name: 'storage', bare: false },
  { name: 'ephemeral-storage', bare: false },
];

export function resourceQuotaWarnings({ spec }: ResourceQuota): string[] {
  const hard = new Map(Object.entries(spec?.hard ?? {}));
  return quotaResources.flatMap(({ name, bare }) => {
    const requestName = bare && !hard.has(`requests.${name}`) ? name : `requests.${name}`;
    const request = hard.get(requestName);
    const limit = hard.get(`limits.${name}`);
    if (request === undefined || limit === undefined) return [];
    if (compareQuantities(parseQuantity(request), parseQuantity(limit)) <= 0) return [];
    return [`ResourceQuota ${requestName} (${request}) should be less than limits.${name} (${limit})`];
  });
}
