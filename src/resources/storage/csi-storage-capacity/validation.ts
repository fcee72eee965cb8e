import type * as storage from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { nonNegativeQuantity } from '../../parts/amounts/quantities.ts';
import { dnsSubdomain, type Errors, immutable } from '../../parts/rules/rules.ts';
import { labelSelector } from '../../parts/selectors/label-selectors.ts';

export function* storageCapacity({ nodeTopology, storageClassName, capacity }: storage.CSIStorageCapacity): Errors {
  yield* labelSelector(nodeTopology, 'nodeTopology');
  yield* dnsSubdomain(storageClassName, 'storageClassName');
  if (capacity !== undefined) yield* nonNegativeQuantity(capacity, 'capacity');
}

export function* storageCapacityUpdate(object: storage.CSIStorageCapacity, old: storage.CSIStorageCapacity): Errors {
  for (const name of ['nodeTopology', 'storageClassName'] as const) yield* immutable(object[name], old[name], name);
}
