import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import { compareQuantities, parseQuantity, type Quantity } from '../../api/values/quantity.ts';
import type { PersistentVolumeClaim } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { StorageClass } from '../../schema/kubernetes/generated/types/storage-v1.ts';
import type { PluginContext } from '../plugin-context.ts';
import { refusal } from '../refusal.ts';

const storageClasses = { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses' };
/** The annotation that named the class before the field existed; it takes precedence. */
const oldClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** A claim may grow only if it is bound and its class allows expansion. */
export function persistentVolumeClaimResize({ stored }: Pick<PluginContext, 'stored'>): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    operations: new Set(['UPDATE']),
    async validate(attributes) {
      const { group, resource, subresource, object, oldObject } = attributes;
      if (group !== '' || resource !== 'persistentvolumeclaims' || subresource !== '') return;
      // Objects are decoded by the schema of their resource.
      const claim = object as PersistentVolumeClaim;
      const old = oldObject as PersistentVolumeClaim;
      if (compareQuantities(requested(claim), requested(old)) <= 0) return;
      if (old.status?.phase !== 'Bound') {
        throw refusal(attributes, 'Only bound persistent volume claims can be expanded');
      }
      const name = classOf(claim);
      const found = name === classOf(old) ? await stored.get(storageClasses, { namespace: '', name }) : undefined;
      if ((found as StorageClass | undefined)?.allowVolumeExpansion === true) return;
      const why =
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
      throw refusal(attributes, why);
    },
  };
}

function requested({ spec }: PersistentVolumeClaim): Quantity {
  return parseQuantity(spec?.resources?.requests?.['storage'] ?? '0');
}

function classOf({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata?.annotations?.[oldClassAnnotation] ?? spec?.storageClassName ?? '';
}
