import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';

export const persistentVolumeClaimStrategy: StrategyOf<PersistentVolumeClaim> = {
  complete: ({ spec = {} }) => linkDataSources(spec),
  prepareForCreate(claim) {
    claim.status = { phase: 'Pending' };
    dropOtherDataSource(claim.spec ?? {});
    linkDataSources(claim.spec ?? {});
  },
  prepareForUpdate({ spec = {} }, old) {
    if (old.spec?.dataSource === undefined && old.spec?.dataSourceRef === undefined) dropOtherDataSource(spec);
    linkDataSources(spec);
  },
};

/** The older dataSource field supports only claims and snapshots; others are dropped. */
function dropOtherDataSource(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource === undefined || dataSourceRef !== undefined) return;
  const { kind = '', apiGroup = '' } = dataSource;
  const known = ['/PersistentVolumeClaim', 'snapshot.storage.k8s.io/VolumeSnapshot'];
  if (!known.includes(`${apiGroup}/${kind}`)) delete spec.dataSource;
}

/** The data source is in two fields, for older and newer clients. */
function linkDataSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) spec.dataSourceRef = { ...dataSource };
  else if (dataSource === undefined && dataSourceRef !== undefined && (dataSourceRef.namespace ?? '') === '') {
    const { namespace: _, ...local } = dataSourceRef;
    spec.dataSource = local;
  }
}
