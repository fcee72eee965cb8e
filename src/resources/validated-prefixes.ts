/** Kinds whose updates check `generateName` like that of a new object, by group. */
const kinds: { readonly [group: string]: readonly string[] } = {
  '': [
    'ConfigMap',
    'Endpoints',
    'LimitRange',
    'Namespace',
    'Node',
    'PersistentVolumeClaim',
    'PersistentVolume',
    'Pod',
    'Event',
    'ReplicationController',
    'Secret',
    'ServiceAccount',
  ],
  'admissionregistration.k8s.io': [
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingWebhookConfiguration',
  ],
  'apiregistration.k8s.io': ['APIService'],
  apps: ['ControllerRevision'],
  'certificates.k8s.io': ['CertificateSigningRequest', 'ClusterTrustBundle'],
  'discovery.k8s.io': ['EndpointSlice'],
  'events.k8s.io': ['Event'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'networking.k8s.io': ['IngressClass', 'Ingress', 'IPAddress'],
  'node.k8s.io': ['RuntimeClass'],
  'resource.k8s.io': ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate'],
  'storage.k8s.io': ['CSINode', 'CSIStorageCapacity', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
  'storagemigration.k8s.io': ['StorageVersionMigration'],
};

/** Further updates of theirs that do. */
const subresources: { readonly [kind: string]: readonly string[] } = {
  '/Pod': ['ephemeralcontainers', 'resize'],
  '/ReplicationController': ['status'],
  'certificates.k8s.io/CertificateSigningRequest': ['status', 'approval'],
  'storage.k8s.io/VolumeAttachment': ['status'],
};

/** Subresources through which the prefix is checked; empty for the object itself. */
export function validatedPrefixes(group: string, kind: string): ReadonlySet<string> {
  if (kinds[group]?.includes(kind) !== true) return new Set();
  return new Set(['', ...(subresources[`${group}/${kind}`] ?? [])]);
}
