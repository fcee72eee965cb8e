import { dnsLabelErrors } from '../../api/names.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Strategy } from '../../registry/strategy.ts';
import type { CustomResourceDefinition } from '../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { StatefulSet } from '../../schema/kubernetes/generated/types/apps-v1.ts';
import type { CronJob, CronJobSpec, JobSpec } from '../../schema/kubernetes/generated/types/batch-v1.ts';
import type {
  Endpoints,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplateSpec,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { EndpointSlice } from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import type { Ingress, NetworkPolicy } from '../../schema/kubernetes/generated/types/networking-v1.ts';
import type { RuntimeClass } from '../../schema/kubernetes/generated/types/node-v1.ts';
import type {
  CSIDriver,
  CSIStorageCapacity,
  StorageClass,
} from '../../schema/kubernetes/generated/types/storage-v1.ts';
import { endpointSliceWarnings } from '../discovery/endpoint-slice/warnings.ts';
import { endpointsWarnings } from '../core/endpoints/warnings.ts';
import { loadBalancerWarnings } from '../core/service/warnings.ts';
import { networkPolicyWarnings } from '../networking/network-policy/warnings.ts';
import { nodeWarnings } from '../core/node/warnings.ts';
import { podStatusWarnings } from '../core/pod/warnings.ts';
import { annotationWarnings } from '../parts/warnings/annotations.ts';
import { claimWarnings } from '../parts/volume-claim/warnings.ts';
import {
  staticNameWarnings,
  type WebhookConfiguration,
  webhookRuleWarnings,
} from '../admissionregistration/warnings.ts';
import { definitionUpdateWarnings, definitionWarnings } from '../apiextensions/custom-resource-definition/warnings.ts';
import { resourceQuotaWarnings } from '../core/resource-quota/warnings.ts';
import { secretWarnings } from '../core/secret/warnings.ts';
import { serviceAccountWarnings } from '../core/service-account/warnings.ts';
import { endedPersistentVolumeWarnings } from '../parts/pod-template/ended-volumes.ts';
import { nodeSelectorWarnings, nodeTermWarnings } from '../parts/selectors/node-labels.ts';
import { podWarnings } from '../parts/pod-template/warnings.ts';
import { serviceWarnings } from '../core/service/warnings.ts';
import { csiDriverWarnings } from '../storage/csi-driver/warnings.ts';
import { storageCapacityWarnings } from '../storage/csi-storage-capacity/warnings.ts';
import { storageClassWarnings } from '../storage/storage-class/warnings.ts';
import { perItem, type Warnings } from '../parts/warnings/per-item.ts';

/** The part of a strategy that warns. */
export type KindWarnings = Pick<Strategy, 'warnings' | 'updateWarnings'>;

type Warn<T> = (object: T) => Warnings;

const podHostname = "the Pod's hostname";
const podNames = 'Pod names and hostnames';

/** Claims know the first of them only. */
const storageAnnotations = [
  {
    key: 'volume.beta.kubernetes.io/storage-class',
    text: 'deprecated since v1.8; use "storageClassName" attribute instead',
  },
  {
    key: 'volume.beta.kubernetes.io/mount-options',
    text: 'deprecated since v1.31; use "mountOptions" attribute instead',
  },
];

const staticNames: KindWarnings = { updateWarnings: staticNameWarnings };

const webhookConfiguration: KindWarnings = {
  ...created<WebhookConfiguration>(webhookRuleWarnings),
  *updateWarnings(object) {
    yield* staticNameWarnings(object);
    // Decoded by the schema of its kind.
    yield* webhookRuleWarnings(object as unknown as WebhookConfiguration);
  },
};

/** Decoded by the schema of its kind. */
function asDefinition(object: Readonly<KubernetesObject>): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition;
}

/** What built-in kinds warn of, by `group/Kind` (`/Pod` in the core group). */
export const builtInWarnings: { readonly [kind: string]: KindWarnings } = {
  '/Pod': created<Pod>(function* (pod) {
    yield* nameWarnings(pod.metadata?.name, podHostname);
    yield* podWarnings('', pod);
  }),
  '/Endpoints': always<Endpoints>(endpointsWarnings),
  '/Node': always<Node>(nodeWarnings),
  '/PersistentVolume': always<PersistentVolume>(persistentVolumeWarnings),
  '/PersistentVolumeClaim': always<PersistentVolumeClaim>(({ metadata, spec }) => [
    ...annotationWarnings('metadata.annotations', metadata?.annotations, storageAnnotations.slice(0, 1)),
    ...claimWarnings('spec', spec),
  ]),
  '/PodTemplate': templated(({ template }: { readonly template?: PodTemplateSpec }) =>
    podWarnings('template', template ?? {}),
  ),
  '/ReplicationController': {
    ...templated(specTemplateWarnings, podNames),
    // The reference warns of what the template has been.
    updateWarnings: (object, old) =>
      object.metadata.generation === old.metadata.generation ? [] : specTemplateWarnings(old as ReplicationController), // as decoded
  },
  '/ResourceQuota': created<ResourceQuota>(resourceQuotaWarnings),
  '/Secret': always<Secret>(secretWarnings),
  '/Service': always<Service>(serviceWarnings),
  '/ServiceAccount': compared<ServiceAccount>(serviceAccountWarnings),
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': staticNames,
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': staticNames,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhookConfiguration,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': staticNames,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': staticNames,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhookConfiguration,
  'apiextensions.k8s.io/CustomResourceDefinition': {
    ...created<CustomResourceDefinition>(definitionWarnings),
    updateWarnings: (object, old) => definitionUpdateWarnings(asDefinition(object), asDefinition(old)),
  },
  'apps/DaemonSet': templated(specTemplateWarnings),
  'apps/Deployment': templated(specTemplateWarnings, podNames),
  'apps/ReplicaSet': templated(specTemplateWarnings, podNames),
  'apps/StatefulSet': afterTemplate(templated(specTemplateWarnings), statefulSetWarnings),
  'batch/CronJob': afterTemplate(
    templated(
      ({ spec }: { readonly spec?: CronJobSpec }) => jobWarnings('spec.jobTemplate.spec', spec?.jobTemplate?.spec),
      podNames,
    ),
    timeZoneWarnings,
  ),
  'batch/Job': templated(({ spec }: { readonly spec?: JobSpec }) => jobWarnings('spec', spec), podNames),
  'discovery.k8s.io/EndpointSlice': {
    ...created<EndpointSlice>(function* (slice) {
      if (slice.addressType === 'FQDN') yield 'spec.addressType: FQDN endpoints are deprecated';
      yield* endpointSliceWarnings(slice);
    }),
    updateWarnings: (object) => endpointSliceWarnings(object as EndpointSlice), // decoded by the schema of its kind
  },
  'networking.k8s.io/Ingress': created<Ingress>(({ metadata, spec }) =>
    metadata?.annotations?.['kubernetes.io/ingress.class'] !== undefined && spec?.ingressClassName === undefined
      ? [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  ),
  'networking.k8s.io/NetworkPolicy': always<NetworkPolicy>(networkPolicyWarnings),
  'node.k8s.io/RuntimeClass': always<RuntimeClass>(({ scheduling }) =>
    nodeSelectorWarnings(() => 'scheduling.nodeSelector', scheduling?.nodeSelector),
  ),
  'storage.k8s.io/CSIDriver': compared<CSIDriver>(csiDriverWarnings),
  'storage.k8s.io/CSIStorageCapacity': always<CSIStorageCapacity>(storageCapacityWarnings),
  'storage.k8s.io/StorageClass': always<StorageClass>(storageClassWarnings),
};

/** What updates of a status warn of. */
export const builtInStatusWarnings: { readonly [kind: string]: Pick<Strategy, 'updateWarnings'> } = {
  '/Pod': always<Pod>(podStatusWarnings),
  '/Service': always<Service>(({ status }) => loadBalancerWarnings(status)),
  'networking.k8s.io/Ingress': always<Ingress>(({ status }) => loadBalancerWarnings(status)),
};

/** Warns when an object is created. Objects of a kind are decoded by its schema, so they are of its type. */
function created<T>(warn: Warn<T>): KindWarnings {
  return { warnings: (object) => warn(object as unknown as T) };
}

function always<T>(warn: Warn<T>): KindWarnings {
  return { ...created(warn), updateWarnings: (object) => warn(object as unknown as T) };
}

/** Warns of what an object is, or becomes. */
function compared<T>(warn: (object: T, old?: T) => Warnings): KindWarnings {
  return {
    ...created<T>((object) => warn(object)),
    updateWarnings: (object, old) => warn(object as unknown as T, old as unknown as T),
  };
}

type Operation = 'create' | 'update';

/** Warns of other things after those of the template, whether the generation rises or not. */
function afterTemplate<T>(
  { warnings, updateWarnings }: KindWarnings,
  more: (object: T, operation: Operation) => Warnings,
): KindWarnings {
  return {
    *warnings(object, context) {
      if (warnings) yield* warnings(object, context);
      yield* more(object as unknown as T, 'create');
    },
    *updateWarnings(object, old, context) {
      if (updateWarnings) yield* updateWarnings(object, old, context);
      yield* more(object as unknown as T, 'update');
    },
  };
}

/** Warns of a template when it is new or the generation of its object has risen, and of names that pods will bear. */
function templated<T>(warn: Warn<T>, nameUse?: string): KindWarnings {
  const warnOf = (object: KubernetesObject): Warnings => warn(object as unknown as T);
  return {
    *warnings(object) {
      if (nameUse !== undefined) yield* nameWarnings(object.metadata.name, nameUse);
      yield* warnOf(object);
    },
    updateWarnings: (object, old) => (object.metadata.generation === old.metadata.generation ? [] : warnOf(object)),
  };
}

function nameWarnings(name = '', use: string): string[] {
  const errors = dnsLabelErrors(name);
  if (errors.length === 0) return [];
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${errors.join(' ')}]`,
  ];
}

function specTemplateWarnings({ spec }: { readonly spec?: { readonly template?: PodTemplateSpec } }): Warnings {
  return podWarnings('spec.template', spec?.template ?? {});
}

function* statefulSetWarnings({ spec = {} }: StatefulSet, operation: Operation): Warnings {
  yield* perItem(spec.volumeClaimTemplates, (claim, index) => {
    const path = `spec.volumeClaimTemplates[${index}]`;
    return claimWarnings(operation === 'create' ? path : `${path}.Spec`, claim.spec);
  });
  if ((spec.revisionHistoryLimit ?? 0) < 0) {
    yield 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
  }
}

function timeZoneWarnings({ spec }: CronJob, operation: Operation): string[] {
  if (operation === 'create' || spec?.schedule?.includes('TZ') !== true) return [];
  return [
    'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
  ];
}

function* persistentVolumeWarnings({ metadata, spec = {} }: PersistentVolume): Warnings {
  yield* annotationWarnings('metadata.annotations', metadata?.annotations, storageAnnotations);
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    yield 'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  }
  yield* perItem(spec.nodeAffinity?.required?.nodeSelectorTerms, (term, index) =>
    nodeTermWarnings(`spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, term, { checkValues: false }),
  );
  yield* endedPersistentVolumeWarnings(spec);
}

const manyCompletions = 100_000;
const manyAtOnce = 10_000;

function* jobWarnings(path: string, spec: JobSpec = {}): Warnings {
  const isUntrackable =
    spec.completionMode === 'Indexed' &&
    (spec.completions ?? 0) > manyCompletions &&
    (spec.parallelism ?? 0) > manyAtOnce;
  if (isUntrackable) {
    yield `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`;
  }
  yield* podWarnings(`${path}.template`, spec.template ?? {});
}
