import { addInt64 } from '../../api/values/int64.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';

/** Increments the generation for a change outside of the spec. */
export function raiseGeneration(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  object.metadata.generation = addInt64(old.metadata.generation ?? 0, 1);
}
