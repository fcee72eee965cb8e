import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import { soon } from '../../api/scheduling/soon.ts';
import type { PersistentVolumeClaim } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { newestDefault } from './parts/newest-default.ts';
import type { PluginContext } from '../plugin-context.ts';
import { setInSpec } from './parts/set-in-spec.ts';

const storageClasses = { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses' };
const marks = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
/** The annotation that named the class before the field existed. */
const oldClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Gives claims without a class the default one. */
export function defaultStorageClass({ stored }: Pick<PluginContext, 'stored'>): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    operations: new Set(['CREATE']),
    mutate({ group, resource, subresource, object }) {
      if (group !== '' || resource !== 'persistentvolumeclaims' || subresource !== '') return;
      // Objects are decoded by the schema of their resource.
      const claim = object as PersistentVolumeClaim;
      if (claim.metadata?.annotations?.[oldClassAnnotation] !== undefined) return;
      if (claim.spec?.storageClassName !== undefined) return;
      return soon(stored.list(storageClasses), (classes) => {
        const storageClassName = newestDefault(classes, marks);
        if (storageClassName !== undefined) setInSpec(claim, { storageClassName });
      });
    },
  };
}
