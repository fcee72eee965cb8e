import { invalidField } from '../../../api/errors/field-error.ts';
import type * as storage from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { nonNegativeQuantity } from '../../parts/amounts/quantities.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { dnsSubdomain, type Errors, immutable, immutableMessage } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { labelSelector } from '../../parts/selectors/label-selectors.ts';

export function* storageCapacity({ nodeTopology, storageClassName, capacity }: storage.CSIStorageCapacity): Errors {
  yield* labelSelector(nodeTopology, 'nodeTopology');
  yield* dnsSubdomain(storageClassName, 'storageClassName');
  if (capacity !== undefined) yield* nonNegativeQuantity(capacity, 'capacity');
}

export function* storageCapacityUpdate(object: storage.CSIStorageCapacity, old: storage.CSIStorageCapacity): Errors {
  if (!sameValue(object.nodeTopology, old.nodeTopology)) {
    yield invalidField('nodeTopology', internalValue('*plain', object.nodeTopology), immutableMessage);
  }
  yield* immutable(object.storageClassName ?? '', old.storageClassName ?? '', 'storageClassName');
}
