import {
  childPath,
  duplicateField,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import type * as storage from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { csiDriverName } from '../../parts/pod-template/volume-sources.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { conditionReason } from '../../parts/rules/status-conditions.ts';

const statusTypes = ['StorageDegraded', 'StorageUnreachable'];
const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const volumeModes = ['Filesystem', 'Block'];
const maxConditions = 16;
const maxReasonBytes = 256;
const maxMessageBytes = 1024;

export function* csiNodeStatus({ status = {} }: storage.CSINode): Errors {
  const isRepeated = repetitions();
  for (const [index, health] of (status.storageHealth ?? []).entries()) {
    const path = keyPath('status.storageHealth', index);
    const { name = '' } = health;
    if (isRepeated(name)) yield duplicateField(path, name);
    yield* storageHealth(health, path);
  }
}

function* storageHealth({ name = '', healthConditions = [] }: storage.StorageHealth, path: string): Errors {
  if (name === '') yield requiredField(childPath(path, 'name'));
  else yield* csiDriverName(name, childPath(path, 'name'));
  const conditionsPath = childPath(path, 'healthConditions');
  if (healthConditions.length > maxConditions) {
    yield tooManyField(conditionsPath, healthConditions.length, maxConditions);
    return;
  }
  for (const [index, condition] of healthConditions.entries()) {
    yield* healthCondition(condition, keyPath(conditionsPath, index));
  }
}

function* healthCondition(condition: storage.StorageHealthCondition, path: string): Errors {
  const { status = '', reason = '', message = '', accessMode, volumeMode } = condition;
  if (!statusTypes.includes(status)) yield notSupportedField(childPath(path, 'status'), status, statusTypes);
  if (reason === '') yield requiredField(childPath(path, 'reason'));
  else {
    yield* conditionReason(reason, childPath(path, 'reason'));
    if (Buffer.byteLength(reason) > maxReasonBytes) yield tooLongField(childPath(path, 'reason'), maxReasonBytes);
  }
  if (Buffer.byteLength(message) > maxMessageBytes) yield tooLongField(childPath(path, 'message'), maxMessageBytes);
  if (accessMode !== undefined && !accessModes.includes(accessMode)) {
    yield notSupportedField(childPath(path, 'accessMode'), accessMode, accessModes);
  }
  if (volumeMode !== undefined && !volumeModes.includes(volumeMode)) {
    yield notSupportedField(childPath(path, 'volumeMode'), volumeMode, volumeModes);
  }
}
