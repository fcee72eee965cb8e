import { cloneData } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';

const clientFields = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** Updates of a status that leave labels, annotations, finalizers and owners as they were. */
export function keepClientMetadata({ metadata }: KubernetesObject, old: Readonly<KubernetesObject>): void {
  for (const field of clientFields) {
    if (old.metadata[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: cloneData(old.metadata[field]) });
  }
}
