import type { GroupVersionKind } from '../api/group-version.ts';
import type { KubernetesObject } from '../api/object.ts';

/** Makes an object of one version of a kind one of another. May change and answer the object it was given. */
export type Converter = (object: KubernetesObject, target: GroupVersionKind) => KubernetesObject;
