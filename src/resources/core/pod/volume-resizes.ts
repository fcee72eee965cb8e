import { childPath, forbiddenField, keyPath } from '../../../api/errors/field-error.ts';
import { compareQuantities, parseQuantity } from '../../../api/values/quantity.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

/** Whether resizes may change the size of volumes in memory. */
export function resizesVolumes(featureGates: ReadonlyMap<string, boolean>): boolean {
  return featureGates.get('InPlacePodVerticalScalingMemoryBackedVolumes') === true;
}

/** Reports changes of volumes other than those of the size of volumes in memory. */
export function* volumeChanges({ volumes = [] }: core.PodSpec, { volumes: before = [] }: core.PodSpec): Errors {
  const path = 'spec.volumes';
  if (volumes.length !== before.length)
    return yield forbiddenField(path, 'volumes may not be added or removed on resize');
  for (const [index, volume] of volumes.entries()) {
    yield* volumeChange(keyPath(path, index), volume, before[index] ?? {});
  }
}

function* volumeChange(path: string, volume: Partial<core.Volume>, old: Partial<core.Volume>): Errors {
  if (volume.name !== old.name) {
    return yield forbiddenField(childPath(path, 'name'), 'volumes may not be renamed or reordered on resize');
  }
  if (!sameValue(withoutSize(volume), withoutSize(old))) {
    return yield forbiddenField(path, 'only sizeLimit of memory-backed emptyDir volumes is mutable on resize');
  }
  const [size, oldSize] = [volume.emptyDir?.sizeLimit, old.emptyDir?.sizeLimit];
  const sizePath = childPath(childPath(path, 'emptyDir'), 'sizeLimit');
  if (isLimit(size) !== isLimit(oldSize)) {
    return yield forbiddenField(sizePath, 'adding or removing sizeLimit on an existing volume is not allowed');
  }
  if (size === undefined || oldSize === undefined || volume.emptyDir?.medium === 'Memory') return;
  if (compareQuantities(parseQuantity(size), parseQuantity(oldSize)) === 0) return;
  yield forbiddenField(sizePath, 'sizeLimit is only mutable for memory-backed emptyDir volumes');
}

function withoutSize({ emptyDir, ...volume }: Partial<core.Volume>): object {
  if (emptyDir === undefined) return volume;
  const { sizeLimit: _, ...rest } = emptyDir;
  return { ...volume, emptyDir: rest };
}

function isLimit(size: string | undefined): boolean {
  return size !== undefined && compareQuantities(parseQuantity(size), parseQuantity('0')) !== 0;
}
