import type { DaemonSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { historyLimit } from '../deployment/defaults.ts';

export function defaultDaemonSet(daemonSet: DaemonSet): void {
  const spec = { revisionHistoryLimit: historyLimit, ...daemonSet.spec };
  daemonSet.spec = spec;
  spec.updateStrategy = { type: 'RollingUpdate', ...spec.updateStrategy };
  const { type, rollingUpdate } = spec.updateStrategy;
  // These are never absent in the internal form.
  const maxUnavailable = type === 'RollingUpdate' ? 1 : 0;
  if (type !== 'RollingUpdate' && rollingUpdate === undefined) return;
  spec.updateStrategy.rollingUpdate = { maxUnavailable, maxSurge: 0, ...rollingUpdate };
}
