import type { ServiceAccount } from '../../../schema/kubernetes/generated/types/core-v1.ts';

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets';

export function serviceAccountWarnings({ metadata }: ServiceAccount, old?: ServiceAccount): string[] {
  if (old?.metadata?.annotations?.[mountableSecrets] !== undefined) return [];
  if (metadata?.annotations?.[mountableSecrets] === undefined) return [];
  const text = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
  return [`metadata.annotations[${mountableSecrets}]: ${text}`];
}
