import { goQuote } from '../../../api/go/go-quote.ts';
import type { Pod, ProjectedVolumeSource, Volume } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { configMapsOfPod, secretsOfPod } from '../../../schema/kubernetes/pod-references.ts';

/** Volumes that reference no other object. */
const ownSources: readonly (keyof Volume)[] = [
  'awsElasticBlockStore',
  'azureDisk',
  'cephfs',
  'cinder',
  'downwardAPI',
  'emptyDir',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'hostPath',
  'image',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
];

const otherSources: readonly (readonly [source: keyof Volume, what: string])[] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
];

type Projection = NonNullable<ProjectedVolumeSource['sources']>[number];

const projections: readonly (readonly [source: keyof Projection, what: string | undefined])[] = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
  ['downwardAPI', undefined],
];

/** Why a node may not create a pod that references other objects: it would gain read access to them. */
export function referenceProblem(pod: Pod, node: string): string | undefined {
  const named = namedResource(pod);
  if (named !== undefined) return `node ${node} can not create pods that reference ${named}`;
  for (const volume of pod.spec?.volumes ?? []) {
    const problem = volumeProblem(volume, node);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function namedResource(pod: Pod): string | undefined {
  const { serviceAccountName = '', resourceClaims = [] } = pod.spec ?? {};
  if (serviceAccountName !== '') return 'serviceaccounts';
  if (secretsOfPod(pod).next().done !== true) return 'secrets';
  if (configMapsOfPod(pod).next().done !== true) return 'configmaps';
  return resourceClaims.length > 0 ? 'resourceclaims' : undefined;
}

function volumeProblem(volume: Volume, node: string): string | undefined {
  if (ownSources.some((source) => volume[source] !== undefined)) return undefined;
  const other = otherSources.find(([source]) => volume[source] !== undefined);
  if (other !== undefined) return `node ${node} can not create pods that reference ${other[1]}`;
  const unchecked = 'error checking mirror pod for API references';
  if (volume.projected === undefined)
    return `${unchecked}: unknown volume type for volume  ${goQuote(volume.name ?? '')}`;
  for (const projection of volume.projected.sources ?? []) {
    const known = projections.find(([source]) => projection[source] !== undefined);
    if (known === undefined) return `${unchecked}: unknown source for projected volume ${goQuote(volume.name ?? '')}`;
    if (known[1] !== undefined) return `node ${node} can not create pods that reference ${known[1]}`;
  }
  return undefined;
}
