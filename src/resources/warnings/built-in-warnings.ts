import { dnsLabelErrors } from '../../api/names.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Strategy } from '../../registry/strategy.ts';
import type { CustomResourceDefinition } from '../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { StatefulSetSpec } from '../../schema/kubernetes/generated/types/apps-v1.ts';
import type { CronJobSpec, JobSpec } from '../../schema/kubernetes/generated/types/batch-v1.ts';
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplateSpec,
  Service,
} from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { Ingress } from '../../schema/kubernetes/generated/types/networking-v1.ts';
import type { RuntimeClass } from '../../schema/kubernetes/generated/types/node-v1.ts';
import { annotationWarnings } from './annotations.ts';
import { claimWarnings } from './claims.ts';
import { staticNameWarnings, type WebhookConfiguration, webhookRuleWarnings } from './admission-registration.ts';
import { definitionUpdateWarnings, definitionWarnings } from './definitions.ts';
import { endedPersistentVolumeWarnings } from './ended-volumes.ts';
import { nodeSelectorWarnings, nodeTermWarnings } from './node-labels.ts';
import { podWarnings } from './pods.ts';
import { serviceWarnings } from './services.ts';

/** The part of a strategy that warns. */
export type KindWarnings = Pick<Strategy, 'warnings' | 'updateWarnings'>;

type Warn<T> = (object: T) => readonly string[];

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
  updateWarnings: (object) => [
    ...staticNameWarnings(object),
    // Decoded by the schema of its kind.
    ...webhookRuleWarnings(object as unknown as WebhookConfiguration),
  ],
};

/** Decoded by the schema of its kind. */
function asDefinition(object: Readonly<KubernetesObject>): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition;
}

/** What built-in kinds warn of, by `group/Kind` (`/Pod` in the core group). */
export const builtInWarnings: { readonly [kind: string]: KindWarnings } = {
  '/Pod': created<Pod>((pod) => [...nameWarnings(pod.metadata?.name, podHostname), ...podWarnings('', pod)]),
  '/PersistentVolume': always<PersistentVolume>(persistentVolumeWarnings),
  '/PersistentVolumeClaim': always<PersistentVolumeClaim>(({ metadata, spec }) => [
    ...annotationWarnings('metadata.annotations', metadata?.annotations, storageAnnotations.slice(0, 1)),
    ...claimWarnings('spec', spec),
  ]),
  '/PodTemplate': templated(({ template }: { readonly template?: PodTemplateSpec }) =>
    podWarnings('template', template ?? {}),
  ),
  '/ReplicationController': templated(specTemplateWarnings, podNames),
  '/Service': always<Service>(serviceWarnings),
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
  'apps/StatefulSet': templated(({ spec }: { readonly spec?: StatefulSetSpec }) => statefulSetWarnings(spec ?? {})),
  'batch/CronJob': templated(
    ({ spec }: { readonly spec?: CronJobSpec }) => jobWarnings('spec.jobTemplate.spec', spec?.jobTemplate?.spec),
    podNames,
  ),
  'batch/Job': templated(({ spec }: { readonly spec?: JobSpec }) => jobWarnings('spec', spec), podNames),
  'networking.k8s.io/Ingress': created<Ingress>(({ metadata, spec }) =>
    metadata?.annotations?.['kubernetes.io/ingress.class'] !== undefined && spec?.ingressClassName === undefined
      ? [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  ),
  'node.k8s.io/RuntimeClass': always<RuntimeClass>(({ scheduling }) =>
    nodeSelectorWarnings(() => 'scheduling.nodeSelector', scheduling?.nodeSelector),
  ),
};

/** Warns when an object is created. Objects of a kind are decoded by its schema, so they are of its type. */
function created<T>(warn: Warn<T>): KindWarnings {
  return { warnings: (object) => warn(object as unknown as T) };
}

function always<T>(warn: Warn<T>): KindWarnings {
  return { ...created(warn), updateWarnings: (object) => warn(object as unknown as T) };
}

/** Warns of a template when it is new or the generation of its object has risen, and of names that pods will bear. */
function templated<T>(warn: Warn<T>, nameUse?: string): KindWarnings {
  const warnOf = (object: KubernetesObject): readonly string[] => warn(object as unknown as T);
  return {
    warnings: (object) => [
      ...(nameUse === undefined ? [] : nameWarnings(object.metadata.name, nameUse)),
      ...warnOf(object),
    ],
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

function specTemplateWarnings({ spec }: { readonly spec?: { readonly template?: PodTemplateSpec } }): string[] {
  return podWarnings('spec.template', spec?.template ?? {});
}

function statefulSetWarnings({ template = {}, volumeClaimTemplates = [], revisionHistoryLimit = 0 }: StatefulSetSpec) {
  const claims = volumeClaimTemplates.flatMap(({ spec }, index) =>
    claimWarnings(`spec.volumeClaimTemplates[${index}]`, spec),
  );
  const history =
    revisionHistoryLimit < 0
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : [];
  return [...podWarnings('spec.template', template), ...claims, ...history];
}

function persistentVolumeWarnings({ metadata, spec = {} }: PersistentVolume): string[] {
  const recycled = spec.persistentVolumeReclaimPolicy === 'Recycle';
  const text =
    'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return [
    ...annotationWarnings('metadata.annotations', metadata?.annotations, storageAnnotations),
    ...(recycled ? [`spec.persistentVolumeReclaimPolicy: ${text}`] : []),
    ...terms.flatMap((term, index) =>
      nodeTermWarnings(`spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, term, { checkValues: false }),
    ),
    ...endedPersistentVolumeWarnings(spec),
  ];
}

const manyCompletions = 100_000;
const manyAtOnce = 10_000;

function jobWarnings(path: string, spec: JobSpec = {}): string[] {
  const untrackable =
    spec.completionMode === 'Indexed' &&
    (spec.completions ?? 0) > manyCompletions &&
    (spec.parallelism ?? 0) > manyAtOnce;
  const text =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [...(untrackable ? [`${path}: ${text}`] : []), ...podWarnings(`${path}.template`, spec.template ?? {})];
}
