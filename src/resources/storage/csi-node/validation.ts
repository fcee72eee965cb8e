import { childPath, duplicateField, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import type * as storage from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { csiDriverName } from '../../parts/pod-template/volume-sources.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import { type Errors, immutableMessage, nonNegative, qualifiedName } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

export function* csiNode({ spec = {} }: storage.CSINode): Errors {
  const names = new Set<string>();
  for (const [index, driver] of (spec.drivers ?? []).entries()) {
    const path = keyPath('spec.drivers', index);
    const { name = '', nodeID = '', topologyKeys = [] } = driver;
    yield* csiDriverName(name, childPath(path, 'name'));
    if (nodeID === '') yield requiredField(childPath(path, 'nodeID'));
    if (Buffer.byteLength(nodeID) > 256)
      yield invalidField(childPath(path, 'nodeID'), nodeID, 'must be 256 characters or less');
    yield* nonNegative(driver.allocatable?.count, childPath(path, 'allocatable.count'));
    if (names.has(name)) yield duplicateField(childPath(path, 'name'), name);
    names.add(name);
    const isRepeated = repetitions();
    for (const key of topologyKeys) {
      if (key === '') yield requiredField(path);
      if (isRepeated(key)) yield duplicateField(path, key);
      yield* qualifiedName(key, path);
    }
  }
}

export function* csiNodeUpdate(object: storage.CSINode, old: storage.CSINode): Errors {
  const drivers = Map.groupBy(object.spec?.drivers ?? [], ({ name = '' }) => name);
  for (const before of old.spec?.drivers ?? []) {
    for (const driver of drivers.get(before.name ?? '') ?? []) {
      const { allocatable: _now, ...now } = driver;
      const { allocatable: _then, ...then } = before;
      if (sameValue(now, then)) continue;
      yield invalidField('spec.drivers', internalValue('storage.CSINodeDriver', now), immutableMessage);
    }
  }
}
