import { goQuote } from '../../api/go-quote.ts';
import { addInt64 } from '../../api/int64.ts';
import { configMapKeyErrors, nameRules, pathSegmentErrors } from '../../api/names.ts';
import type { Strategy } from '../../registry/strategy.ts';
import type { Job } from '../../schema/kubernetes/generated/types/batch-v1.ts';
import type {
  ClusterTrustBundle,
  PodCertificateRequest,
} from '../../schema/kubernetes/generated/types/certificates-v1.ts';
import type { EndpointSlice } from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import type { ResourceSlice } from '../../schema/kubernetes/generated/types/resource-v1.ts';
import type { KubernetesObject, ObjectMeta } from '../../api/object.ts';
import { sameValue } from '../parts/rules/same-value.ts';
import { storageVersionNameErrors } from '../apiserverinternal/storage-version/validation.ts';
import { canonicalIpAddress } from '../parts/addresses/addresses.ts';
import { admissionRegistrationStrategies } from './admission-registration.ts';
import { autoscalerStrategy } from '../autoscaling/horizontal-pod-autoscaler/strategy.ts';
import { apiServiceStrategy } from '../apiregistration/api-service/strategy.ts';
import { daemonSetStrategy } from '../apps/daemon-set/strategy.ts';
import { definitionStrategy } from '../apiextensions/custom-resource-definition/strategy.ts';
import { selectOwnPods } from '../batch/job/own-pods.ts';
import { resourceClaimStrategy } from '../resource/resource-claim/strategy.ts';
import { signingRequestStrategy } from '../certificates/certificate-signing-request/strategy.ts';
import { strategyOf } from '../strategy-row.ts';

const counted: Strategy = { generation: 'spec' };
const cautious: Strategy = { requireResourceVersion: true };
const countedAndCautious: Strategy = { ...counted, ...cautious };
const rbac: Strategy = { nameRule: pathSegmentErrors, allowCreateOnUpdate: true };
const statusAlone: Strategy = { statusKeepsMetadata: true };

/** Labels do not go through the status. */
function keepLabels({ metadata }: KubernetesObject, { metadata: old }: Readonly<KubernetesObject>): void {
  if (old.labels === undefined) delete metadata.labels;
  else metadata.labels = { ...old.labels };
}

const echoing: Strategy = { returnsDeletedObject: true };
const scalable: Strategy = {
  ...counted,
  scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', selector: '.spec.selector' },
};

/** Strategies of the named groups, by `group/Kind`. */
export const groupStrategies: { readonly [kind: string]: Strategy } = {
  ...admissionRegistrationStrategies,
  'apiextensions.k8s.io/CustomResourceDefinition': definitionStrategy,
  'apiregistration.k8s.io/APIService': apiServiceStrategy,
  'apps/DaemonSet': daemonSetStrategy,
  'apps/Deployment': strategyOf({
    ...scalable,
    prepareForUpdate(deployment, old) {
      if (!sameValue(deployment.metadata.annotations, old.metadata.annotations)) raiseGeneration(deployment, old);
    },
    subresources: { status: { prepareForUpdate: keepLabels } },
  }),
  'apps/ReplicaSet': strategyOf({
    ...scalable,
    selectableFields: { 'status.replicas': (object) => replicasOf(object) },
  }),
  'apps/StatefulSet': { ...scalable, nameRule: nameRules.dnsLabel },
  'autoscaling/HorizontalPodAutoscaler': autoscalerStrategy,
  'batch/CronJob': counted,
  'batch/Job': strategyOf<Job>({
    ...counted,
    garbageCollection: 'orphan',
    selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
    unknownFieldText: (label) => `field label ${goQuote(label)} not supported for Job`,
    prepareForCreate: selectOwnPods,
    deleteWarnings: ({ propagationPolicy, orphanDependents }) =>
      propagationPolicy === undefined && orphanDependents === undefined ? [jobDeletionWarning] : [],
  }),
  'certificates.k8s.io/CertificateSigningRequest': signingRequestStrategy,
  'certificates.k8s.io/ClusterTrustBundle': strategyOf<ClusterTrustBundle>({
    ...cautious,
    nameRule: pathSegmentErrors,
    selectableMetadata: 'name',
    selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  }),
  'certificates.k8s.io/PodCertificateRequest': strategyOf<PodCertificateRequest>({
    ...cautious,
    ...statusAlone,
    selectableMetadata: 'name',
    selectableFields: {
      'spec.signerName': ({ spec }) => spec?.signerName ?? '',
      'spec.podName': ({ spec }) => spec?.podName ?? '',
      'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
    },
  }),
  'coordination.k8s.io/Lease': { ...cautious, allowCreateOnUpdate: true },
  'coordination.k8s.io/LeaseCandidate': { ...cautious, allowCreateOnUpdate: true, nameRule: configMapKeyErrors },
  'discovery.k8s.io/EndpointSlice': strategyOf<KubernetesObject & EndpointSlice>({
    ...counted,
    prepareForCreate: (slice) => dropTopology(slice),
    prepareForUpdate(slice, old) {
      dropTopology(slice, old);
      const seen = ({ labels, annotations, finalizers, ownerReferences }: ObjectMeta): object => ({
        labels,
        annotations,
        finalizers,
        ownerReferences,
      });
      if (!sameValue(seen(slice.metadata), seen(old.metadata))) raiseGeneration(slice, old);
    },
  }),
  'events.k8s.io/Event': { allowCreateOnUpdate: true, garbageCollection: 'unsupported' },
  'flowcontrol.apiserver.k8s.io/FlowSchema': { ...counted, ...statusAlone },
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': { ...counted, ...statusAlone },
  'internal.apiserver.k8s.io/StorageVersion': { ...cautious, ...statusAlone, nameRule: storageVersionNameErrors },
  'networking.k8s.io/IPAddress': { nameRule: (name) => canonicalIpAddress(name, '').map(({ detail }) => detail) },
  'lifecycle.k8s.io/Eviction': { ...cautious, ...statusAlone },
  'lifecycle.k8s.io/EvictionRequest': { ...cautious, ...statusAlone },
  'networking.k8s.io/Ingress': counted,
  'networking.k8s.io/IngressClass': counted,
  'networking.k8s.io/NetworkPolicy': counted,
  'networking.k8s.io/ServiceCIDR': statusAlone,
  'node.k8s.io/RuntimeClass': { ...cautious, allowCreateOnUpdate: true },
  'policy/PodDisruptionBudget': { ...countedAndCautious, nameRule: pathSegmentErrors },
  'rbac.authorization.k8s.io/ClusterRole': rbac,
  'rbac.authorization.k8s.io/ClusterRoleBinding': rbac,
  'rbac.authorization.k8s.io/Role': rbac,
  'rbac.authorization.k8s.io/RoleBinding': rbac,
  'resource.k8s.io/DeviceClass': { ...counted, ...echoing },
  'resource.k8s.io/DeviceTaintRule': {
    ...counted,
    ...statusAlone,
    requireResourceVersion: ['v1'],
    returnsDeletedObject: ['v1beta2', 'v1alpha3'],
  },
  'resource.k8s.io/ResourceClaim': resourceClaimStrategy,
  'resource.k8s.io/ResourceClaimTemplate': echoing,
  'resource.k8s.io/ResourcePoolStatusRequest': { ...cautious, ...echoing, ...statusAlone },
  'resource.k8s.io/ResourceSlice': strategyOf<ResourceSlice>({
    ...counted,
    ...echoing,
    selectableMetadata: 'name',
    selectableFields: {
      'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
      'spec.driver': ({ spec }) => spec?.driver ?? '',
      'spec.pool.name': ({ spec }) => spec?.pool?.name ?? '',
    },
    unknownFieldText: (label, version) =>
      `field label not supported for resource.k8s.io/${version}, Kind=ResourceSlice: ${label}`,
  }),
  'scheduling.k8s.io/CompositePodGroup': { ...cautious, ...statusAlone },
  'scheduling.k8s.io/PodGroup': { ...cautious, ...statusAlone },
  // Counted once: the reference has begun to count and goes no further.
  'scheduling.k8s.io/PriorityClass': {
    prepareForCreate({ metadata }) {
      metadata.generation = 1;
    },
  },
  'scheduling.k8s.io/Workload': cautious,
  'storage.k8s.io/CSIDriver': { ...cautious, ...echoing },
  'storage.k8s.io/CSINode': { ...cautious, ...echoing, ...statusAlone },
  'storage.k8s.io/CSIStorageCapacity': cautious,
  'storage.k8s.io/StorageClass': echoing,
  'storage.k8s.io/VolumeAttachment': { ...cautious, ...echoing, ...statusAlone },
  'storage.k8s.io/VolumeAttributesClass': echoing,
  'storagemigration.k8s.io/StorageVersionMigration': { ...cautious, ...statusAlone },
};

const jobDeletionWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** Counts a change that the specification does not show. */
function raiseGeneration(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  object.metadata.generation = addInt64(old.metadata.generation ?? 0, 1);
}

function replicasOf(object: object): string {
  const { status } = object as { readonly status?: { readonly replicas?: number } };
  return String(status?.replicas ?? 0);
}

const hostname = 'kubernetes.io/hostname';

/** The free topology of endpoints is no longer written; a node that it named stays the node. */
function dropTopology(slice: EndpointSlice, old?: Readonly<EndpointSlice>): void {
  if (old !== undefined && sameValue(old.endpoints, slice.endpoints)) return;
  const known = new Set(old?.endpoints?.map(({ deprecatedTopology }) => deprecatedTopology?.[hostname]));
  for (const endpoint of slice.endpoints ?? []) {
    const node = endpoint.deprecatedTopology?.[hostname];
    if (endpoint.nodeName === undefined && node !== undefined && known.has(node)) endpoint.nodeName = node;
    delete endpoint.deprecatedTopology;
  }
}
