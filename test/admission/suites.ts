import { quotas } from './scenarios/quotas.ts';
import type { Suite } from './suite.ts';

export const suites: readonly Suite[] = [quotas];
