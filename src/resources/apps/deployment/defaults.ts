import type { Deployment } from '../../../schema/kubernetes/generated/types/apps-v1.ts';

export function defaultDeployment(deployment: Deployment): void {
  const spec = { replicas: 1, revisionHistoryLimit: historyLimit, progressDeadlineSeconds: 600, ...deployment.spec };
  deployment.spec = spec;
  spec.strategy = { type: 'RollingUpdate', ...spec.strategy };
  if (spec.strategy.type !== 'RollingUpdate') return;
  spec.strategy.rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%', ...spec.strategy.rollingUpdate };
}

/** The default number of revisions kept. */
export const historyLimit = 10;
