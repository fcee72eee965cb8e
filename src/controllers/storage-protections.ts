import type { Collection } from '../api/client.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../schema/kubernetes/generated/types/core-v1.ts';

/** A kind that is protected while in use. */
export interface StorageProtection {
  readonly collection: Collection;
  readonly finalizer: string;
  /** The name of kube-controller-manager's queue, in metrics. */
  readonly queue: string;
  /** Collections whose objects may use one; namespaced ones are searched in the namespace of the object. */
  readonly users: readonly Collection[];
  /** Objects are of the kinds of the collections. */
  isUsed(object: KubernetesObject, users: readonly KubernetesObject[]): boolean;
}

const claims: Collection = { group: '', version: 'v1', resource: 'persistentvolumeclaims', namespace: '' };
const volumes: Collection = { group: '', version: 'v1', resource: 'persistentvolumes', namespace: '' };
const attributesClasses: Collection = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'volumeattributesclasses',
  namespace: '',
};

/** What kube-controller-manager protects, and until when. */
export const storageProtections: readonly StorageProtection[] = [
  {
    collection: volumes,
    finalizer: 'kubernetes.io/pv-protection',
    queue: 'pvprotection',
    users: [],
    isUsed: (volume: PersistentVolume) => volume.status?.phase === 'Bound',
  },
  {
    collection: attributesClasses,
    finalizer: 'kubernetes.io/vac-protection',
    queue: 'vacprotection',
    users: [claims, volumes],
    isUsed: ({ metadata }, users) => users.some((user) => usesAttributesClass(user, metadata.name ?? '')),
  },
];

function usesAttributesClass(
  { spec, status }: KubernetesObject & PersistentVolumeClaim & { readonly spec?: PersistentVolume['spec'] },
  name: string,
): boolean {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return names.includes(name);
}
