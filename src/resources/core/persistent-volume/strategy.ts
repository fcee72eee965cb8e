import { formatSeconds } from '../../../registry/write/metadata.ts';
import type { WriteContext } from '../../../registry/kinds/strategy.ts';
import type { PersistentVolume } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';

export const persistentVolumeStrategy: StrategyOf<PersistentVolume> = {
  prepareForCreate(volume, { nowMs }) {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatSeconds(nowMs) };
  },
  subresources: { status: { prepareForUpdate: notePhaseTransition } },
};

function notePhaseTransition(volume: PersistentVolume, old: Readonly<PersistentVolume>, { nowMs }: WriteContext): void {
  const before = old.status?.lastPhaseTransitionTime;
  const status = (volume.status ??= {});
  if (status.phase !== old.status?.phase) {
    if ((status.lastPhaseTransitionTime ?? before) === before) status.lastPhaseTransitionTime = formatSeconds(nowMs);
  } else if (before !== undefined) status.lastPhaseTransitionTime ??= before;
}
