import { keepNotes } from '../../../api/json/written-notes.ts';
import type { StatefulSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { historyLimit } from '../deployment/defaults.ts';

export function defaultStatefulSet(statefulSet: StatefulSet): void {
  const spec = keepNotes(statefulSet.spec ?? {}, {
    podManagementPolicy: 'OrderedReady',
    replicas: 1,
    revisionHistoryLimit: historyLimit,
    ...statefulSet.spec,
  } as NonNullable<StatefulSet['spec']>);
  statefulSet.spec = spec;
  if (spec.updateStrategy?.type === undefined) {
    spec.updateStrategy = {
      ...spec.updateStrategy,
      type: 'RollingUpdate',
      rollingUpdate: spec.updateStrategy?.rollingUpdate ?? {},
    };
  }
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion ??= 'v1';
    claim.kind ??= 'PersistentVolumeClaim';
  }
  const { rollingUpdate } = spec.updateStrategy;
  if (spec.updateStrategy.type === 'RollingUpdate' && rollingUpdate !== undefined) {
    rollingUpdate.partition ??= 0;
  }
  for (const claim of spec.volumeClaimTemplates ?? [])
    Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
  spec.persistentVolumeClaimRetentionPolicy = {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
    ...spec.persistentVolumeClaimRetentionPolicy,
  };
}

/** Applied after the other defaults. */
export function defaultMaxUnavailable({ spec }: StatefulSet): void {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  if (type === 'RollingUpdate' && rollingUpdate !== undefined) rollingUpdate.maxUnavailable ??= 1;
}
