import type { AdmissionPlugin } from '../../api/contracts/admission.ts';

/** Finalizers that protect storage objects in use, by `group/resource`. */
const finalizers: { readonly [resource: string]: string } = {
  '/persistentvolumeclaims': 'kubernetes.io/pvc-protection',
  '/persistentvolumes': 'kubernetes.io/pv-protection',
  'storage.k8s.io/volumeattributesclasses': 'kubernetes.io/vac-protection',
};

/** Adds the protection finalizer to new storage objects. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  operations: new Set(['CREATE']),
  mutate({ group, resource, subresource, object }) {
    const finalizer = finalizers[`${group}/${resource}`];
    if (finalizer === undefined || subresource !== '' || object === undefined) return;
    const present = object.metadata.finalizers ?? [];
    if (!present.includes(finalizer)) object.metadata.finalizers = [...present, finalizer];
  },
};
