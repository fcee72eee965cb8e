import type { KubernetesObject } from '../api/meta/object.ts';
import { dedupOwnerReferences } from '../registry/write/metadata.ts';
import type { Operation } from './operation.ts';

/** Drops duplicate owner references with a warning; `when` is part of its sentence. */
export function warnOfDuplicateOwners(operation: Operation, object: KubernetesObject, when: string): void {
  const duplicates = dedupOwnerReferences(object);
  if (duplicates.length === 0) return;
  operation.warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`,
  );
}
