import { excluding, type FieldFilter, FieldSet } from '../fieldmanagement/field-set.ts';
import { fieldElement } from '../fieldmanagement/path-element.ts';

/** All but these fields. */
function allBut(...paths: readonly string[]): FieldFilter {
  return excluding(FieldSet.of(...paths.map((path) => path.split('.').map(fieldElement))));
}

const specAndMetadataReset = { status: allBut('spec', 'metadata') };

/**
 * What managers may own through writes of built-in kinds, by `group/Kind` and subresource, where it is not what follows from
 * there being a status: all but `status` through the object, all but `spec` through the status.
 */
export const builtInOwnableFields: {
  readonly [kind: string]: { readonly [subresource: string]: FieldFilter };
} = {
  '/Namespace': { finalize: allBut('status') },
  // Ephemeral containers and resizes reset nothing.
  '/Pod': { status: allBut('spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences') },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': specAndMetadataReset,
  'apiregistration.k8s.io/APIService': specAndMetadataReset,
  'apps/Deployment': { status: allBut('spec', 'metadata.labels') },
  'certificates.k8s.io/CertificateSigningRequest': {
    '': allBut('spec', 'status'),
    status: allBut('spec', 'status.conditions'),
    approval: allBut('spec', 'status.certificate'),
  },
  'certificates.k8s.io/PodCertificateRequest': specAndMetadataReset,
  'flowcontrol.apiserver.k8s.io/FlowSchema': specAndMetadataReset,
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': specAndMetadataReset,
  'internal.apiserver.k8s.io/StorageVersion': specAndMetadataReset,
  'lifecycle.k8s.io/Eviction': specAndMetadataReset,
  'lifecycle.k8s.io/EvictionRequest': specAndMetadataReset,
  'networking.k8s.io/ServiceCIDR': specAndMetadataReset,
  'resource.k8s.io/DeviceTaintRule': specAndMetadataReset,
  'resource.k8s.io/ResourceClaim': specAndMetadataReset,
  'resource.k8s.io/ResourcePoolStatusRequest': specAndMetadataReset,
  'scheduling.k8s.io/CompositePodGroup': specAndMetadataReset,
  'scheduling.k8s.io/PodGroup': specAndMetadataReset,
  'storage.k8s.io/CSINode': specAndMetadataReset,
  'storage.k8s.io/VolumeAttachment': specAndMetadataReset,
  'storagemigration.k8s.io/StorageVersionMigration': specAndMetadataReset,
};
