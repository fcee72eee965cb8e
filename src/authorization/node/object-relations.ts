import type { KubernetesObject } from '../../api/meta/object.ts';
import type { PodCertificateRequest } from '../../schema/kubernetes/generated/types/certificates-v1.ts';
import type { PersistentVolume, Pod } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { ResourceSlice } from '../../schema/kubernetes/generated/types/resource-v1.ts';
import type { VolumeAttachment } from '../../schema/kubernetes/generated/types/storage-v1.ts';
import { claimOfVolume, configMapsOfPod, secretsOfPod } from '../../schema/kubernetes/pod-references.ts';
import type { GraphObject, Relations } from './node-graph.ts';
import { secretsOfVolume } from './volume-secrets.ts';

/** A kind whose objects contribute edges. */
export interface RelatingKind {
  readonly group: string;
  readonly resource: string;
  readonly relationsOf: (object: KubernetesObject) => Relations;
}

/** Objects are decoded by the schemas of their kinds. */
export const relatingKinds: readonly RelatingKind[] = [
  { group: '', resource: 'pods', relationsOf: (object) => ofPod(object as Pod) },
  { group: '', resource: 'persistentvolumes', relationsOf: (object) => ofVolume(object as PersistentVolume) },
  {
    group: 'storage.k8s.io',
    resource: 'volumeattachments',
    relationsOf: (object) => ofItself('volumeattachments', object, (object as VolumeAttachment).spec?.nodeName),
  },
  {
    group: 'resource.k8s.io',
    resource: 'resourceslices',
    relationsOf: (object) => ofItself('resourceslices', object, (object as ResourceSlice).spec?.nodeName),
  },
  {
    group: 'certificates.k8s.io',
    resource: 'podcertificaterequests',
    relationsOf: (object) =>
      ofItself('podcertificaterequests', object, (object as PodCertificateRequest).spec?.nodeName),
  },
];

const mirrorAnnotation = 'kubernetes.io/config.mirror';

function ofItself(resource: string, { metadata }: Pick<Pod, 'metadata'>, node: string | undefined): Relations {
  if (node === undefined || node === '') return {};
  const { namespace = '', name = '' } = metadata ?? {};
  return { ofNode: { node, objects: [{ resource, namespace, name }] } };
}

function ofPod(pod: Pod): Relations {
  const { ofNode } = ofItself('pods', pod, pod.spec?.nodeName);
  if (ofNode === undefined) return {};
  // Mirror pods are written by nodes themselves, and must not grant access.
  if (pod.metadata?.annotations?.[mirrorAnnotation] !== undefined) return { ofNode };
  const namespace = pod.metadata?.namespace ?? '';
  const inNamespace = (resource: string, names: Iterable<string>): readonly GraphObject[] =>
    [...new Set(names)].map((name) => ({ resource, namespace, name }));
  const { serviceAccountName = '', volumes = [] } = pod.spec ?? {};
  const claims = volumes.map((volume) => claimOfVolume(pod, volume) ?? '').filter((name) => name !== '');
  return {
    ofNode: {
      node: ofNode.node,
      objects: [
        ...ofNode.objects,
        ...inNamespace('serviceaccounts', serviceAccountName === '' ? [] : [serviceAccountName]),
        ...inNamespace('secrets', secretsOfPod(pod)),
        ...inNamespace('configmaps', configMapsOfPod(pod)),
        ...inNamespace('persistentvolumeclaims', claims),
        ...inNamespace('resourceclaims', resourceClaimsOf(pod)),
      ],
    },
  };
}

/** Claims referenced by name, and those generated from templates. */
function* resourceClaimsOf({ spec = {}, status = {} }: Pod): Generator<string> {
  for (const { name, resourceClaimName, resourceClaimTemplateName } of spec.resourceClaims ?? []) {
    const made = status.resourceClaimStatuses?.find((candidate) => candidate.name === name)?.resourceClaimName;
    const claim = resourceClaimName ?? (resourceClaimTemplateName === undefined ? undefined : made);
    if (claim !== undefined) yield claim;
  }
  const extended = status.extendedResourceClaimStatus?.resourceClaimName ?? '';
  if (extended !== '') yield extended;
}

function ofVolume(volume: PersistentVolume): Relations {
  const { claimRef } = volume.spec ?? {};
  if (claimRef === undefined) return {};
  const self = { resource: 'persistentvolumes', namespace: '', name: volume.metadata?.name ?? '' };
  const { namespace = '', name = '' } = claimRef;
  const followed = { resource: 'persistentvolumeclaims', namespace, name };
  const secrets = [...secretsOfVolume(volume)].map((secret) => ({
    follower: { resource: 'secrets', ...secret },
    followed: self,
  }));
  return { follows: [{ follower: self, followed }, ...secrets] };
}
