import type { ServiceAccount } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { nameSecretsOnly } from './secrets.ts';
import { serviceAccountWarnings } from './warnings.ts';

export const serviceAccountKind = defineKind<ServiceAccount>({
  group: '',
  kind: 'ServiceAccount',
  strategy: { prepareForCreate: nameSecretsOnly, prepareForUpdate: nameSecretsOnly },
  warnings: { create: (account) => serviceAccountWarnings(account), update: serviceAccountWarnings },
  answers: { returnsDeletedObject: true },
  table: async () => (await import('./table.ts')).serviceAccounts,
});
