import { excluding, type FieldFilter, FieldSet } from '../fieldmanagement/field-set.ts';
import { fieldElement } from '../fieldmanagement/path-element.ts';

/** All but these fields. */
function allBut(...paths: readonly string[]): FieldFilter {
  return excluding(FieldSet.of(...paths.map((path) => path.split('.').map(fieldElement))));
}

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
  'apps/Deployment': { status: allBut('spec', 'metadata.labels') },
  'certificates.k8s.io/CertificateSigningRequest': {
    '': allBut('spec', 'status'),
    status: allBut('spec', 'status.conditions'),
    approval: allBut('spec', 'status.certificate'),
  },
};
