import type { ServiceAccount } from '../../../schema/kubernetes/generated/types/core-v1.ts';

/** Of the secrets of a service account nothing is kept but their names. */
export function nameSecretsOnly(account: ServiceAccount): void {
  const { secrets } = account;
  if (secrets !== undefined) account.secrets = secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
