import { addInt64 } from '../../api/int64.ts';
import type { KubernetesObject } from '../../api/object.ts';

/** Counts a change that the specification does not show. */
export function raiseGeneration(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  object.metadata.generation = addInt64(old.metadata.generation ?? 0, 1);
}
