import { configured } from './scenarios/configured.ts';
import { permissions } from './scenarios/permissions.ts';
import { quotas } from './scenarios/quotas.ts';
import { serviceAccounts } from './scenarios/service-accounts.ts';
import type { Suite } from './suite.ts';

export const suites: readonly Suite[] = [quotas, serviceAccounts, permissions, configured];
