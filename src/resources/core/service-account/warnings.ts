import { compareQuantities, parseQuantity } from '../../../api/quantity.ts';
import type { ResourceQuota, Secret, ServiceAccount } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { keyPairError } from '../secret/key-pairs.ts';

/** A pair of certificate and key that does not fit is kept all the same. */
export function secretWarnings({ type, data = {} }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const text = (field: string): string => Buffer.from(data[field] ?? '', 'base64').toString('latin1');
  const error = keyPairError(text('tls.crt'), text('tls.key'));
  return error === undefined ? [] : [error];
}

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets';

export function serviceAccountWarnings({ metadata }: ServiceAccount, old?: ServiceAccount): string[] {
  if (old?.metadata?.annotations?.[mountableSecrets] !== undefined) return [];
  if (metadata?.annotations?.[mountableSecrets] === undefined) return [];
  const text = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
  return [`metadata.annotations[${mountableSecrets}]: ${text}`];
}

/** Processors and memory go by their bare names too. */
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
