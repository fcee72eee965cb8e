import type { ServiceAccount } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';

export const serviceAccountKind = defineKind<ServiceAccount>({
  group: '',
  kind: 'ServiceAccount',
  strategy: { prepareForCreate: nameSecretsOnly, prepareForUpdate: nameSecretsOnly },
  warnings: { create: (account) => serviceAccountWarnings(account), update: serviceAccountWarnings },
  responses: { returnsDeletedObject: true },
  table: async () => (await import('./table.ts')).serviceAccounts,
});

/** Keeps only the names of a service account's secrets. */
function nameSecretsOnly(account: ServiceAccount): void {
  const { secrets } = account;
  if (secrets !== undefined) account.secrets = secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets';

function serviceAccountWarnings({ metadata }: ServiceAccount, old?: ServiceAccount): string[] {
  if (old?.metadata?.annotations?.[mountableSecrets] !== undefined) return [];
  if (metadata?.annotations?.[mountableSecrets] === undefined) return [];
  const text = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
  return [`metadata.annotations[${mountableSecrets}]: ${text}`];
}
