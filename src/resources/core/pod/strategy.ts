import { cloneData } from '../../../api/json/json.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import { formatSeconds } from '../../../registry/write/metadata.ts';
import { keepClientMetadata } from '../../../registry/write/metadata.ts';
import type {
  Container,
  Pod,
  PodCondition,
  PodSpec,
  PodStatus,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import type { KindEnvironment } from '../../kind-environment.ts';
import { allBut } from '../../parts/ownable-fields.ts';
import { completePodResources } from './pod-level-resources.ts';
import { appArmorWarnings, applyAppArmorAnnotations, applyLabelKeys, applySpreadLabelKeys } from './preparation.ts';
import { resizesVolumes } from './volume-resizes.ts';
import { qosClassOf } from '../../../schema/kubernetes/qos-class.ts';

const finished: ReadonlySet<string> = new Set(['Failed', 'Succeeded']);

/** What does not depend on gates. */
const strategy: StrategyOf<Pod> = {
  generation: 'spec',
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
    'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
    'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork ?? false),
    'status.phase': ({ status }) => status?.phase ?? '',
    'status.podIP': ({ status }) => status?.podIPs?.[0]?.ip ?? '',
    'status.podIPs': ({ status }) => status?.podIPs?.[0]?.ip ?? '',
    'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
  },
  selectedMembers: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  // Clients of the first releases.
  selectableField: (name) => (name === 'spec.host' ? 'spec.nodeName' : name),
  preparationWarnings: appArmorWarnings,
  gracePeriodSeconds(pod, requested) {
    if ((pod.spec?.nodeName ?? '') === '' || finished.has(pod.status?.phase ?? '')) return 0;
    const seconds = requested ?? pod.spec?.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
  // The ephemeralcontainers and resize subresources have no reset fields.
  ownableFields: { status: allBut('spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences') },
  subresources: {
    status: {
      prepareForUpdate(pod, old) {
        delete pod.metadata.deletionTimestamp;
        if (old.metadata.ownerReferences === undefined) delete pod.metadata.ownerReferences;
        else pod.metadata.ownerReferences = cloneData(old.metadata.ownerReferences);
        keepStatusFields(pod, old);
      },
    },
    ephemeralcontainers: {
      raisesGeneration: true,
      prepareForUpdate(pod, old) {
        const { ephemeralContainers } = pod.spec ?? {};
        pod.spec = cloneData(old.spec ?? {});
        if (ephemeralContainers === undefined) delete pod.spec.ephemeralContainers;
        else pod.spec.ephemeralContainers = ephemeralContainers;
        keepStatusOf(pod, old);
        keepClientMetadata(pod, old);
      },
    },
  },
};

export function podStrategy({ featureGates }: Pick<KindEnvironment, 'featureGates'>): StrategyOf<Pod> {
  const mergesLabels = featureGates.get('MatchLabelKeysInPodTopologySpreadSelectorMerge') === true;
  return {
    ...strategy,
    prepareForCreate(pod, { nowMs }) {
      if (mergesLabels) applySpreadLabelKeys(pod);
      prepareNewPod(pod, nowMs);
    },
    subresources: {
      ...strategy.subresources,
      resize: {
        raisesGeneration: true,
        prepareForUpdate: resizesVolumes(featureGates) ? prepareVolumeResize : prepareResize,
      },
    },
  };
}

function prepareNewPod(pod: Pod, nowMs: number): void {
  applyLabelKeys(pod);
  applyAppArmorAnnotations(pod);
  completePodResources(pod.spec ?? {});
  pod.status = { phase: 'Pending', qosClass: qosClassOf(pod.spec ?? {}) };
  if ((pod.spec?.schedulingGates ?? []).length === 0) return;
  pod.status.conditions = [
    {
      type: 'PodScheduled',
      status: 'False',
      lastTransitionTime: formatSeconds(nowMs),
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    },
  ];
}

type StoredPod = KubernetesObject & Pod;

/** Keeps everything but resources of containers and of the pod. */
function prepareResize(pod: StoredPod, old: Readonly<StoredPod>): void {
  const spec = resizedSpec(pod.spec ?? {}, old.spec ?? {});
  if (spec === undefined) return;
  pod.spec = spec;
  keepStatusOf(pod, old);
  keepClientMetadata(pod, old);
}

/** Keeps everything but resources and volumes. */
function prepareVolumeResize(pod: StoredPod, old: Readonly<StoredPod>): void {
  const { volumes } = pod.spec ?? {};
  prepareResize(pod, old);
  const { volumes: _, ...spec } = pod.spec ?? {};
  pod.spec = volumes === undefined ? spec : { ...spec, volumes };
}

function keepStatusOf(pod: Pod, old: Readonly<Pod>): void {
  if (old.status === undefined) delete pod.status;
  else pod.status = cloneData(old.status);
}

/** Restores status fields that older clients omit because they do not know them. */
function keepStatusFields(pod: Pod, old: Readonly<Pod>): void {
  const status = (pod.status ??= {});
  const before = cloneData(old.status ?? {});
  if ((status.qosClass ?? '') === '' && before.qosClass !== undefined) status.qosClass = before.qosClass;
  for (const field of keptStatusFields) {
    if (status[field] === undefined && before[field] !== undefined) Object.assign(status, { [field]: before[field] });
  }
  if ((status.observedGeneration ?? 0) === 0 && before.observedGeneration !== undefined) {
    status.observedGeneration = before.observedGeneration;
  }
  dropVolumeStatuses(status);
  keepConditionGenerations(status.conditions ?? [], before.conditions ?? []);
  linkAddresses(status);
}

const keptStatusFields = [
  'resourceClaimStatuses',
  'extendedResourceClaimStatus',
  'nodeAllocatableResourceClaimStatuses',
] as const;

/** Belongs to the gate ImageVolumeWithDigest, which is off. */
function dropVolumeStatuses(status: PodStatus): void {
  const lists = [status.containerStatuses, status.initContainerStatuses, status.ephemeralContainerStatuses];
  const mounts = lists.flatMap((list) => list ?? []).flatMap(({ volumeMounts }) => volumeMounts ?? []);
  for (const mount of mounts) delete mount.volumeStatus;
}

/** Conditions of the same type are matched in order. */
function keepConditionGenerations(conditions: PodCondition[], before: PodCondition[]): void {
  const ofType = Map.groupBy(before.toReversed(), ({ type }) => type);
  for (const condition of conditions) {
    const { observedGeneration } = ofType.get(condition.type)?.pop() ?? {};
    if ((condition.observedGeneration ?? 0) === 0 && observedGeneration !== undefined) {
      condition.observedGeneration = observedGeneration;
    }
  }
}

/** The first IP is in two fields; if they differ, the older field wins. */
function linkAddresses(status: PodStatus): void {
  const { podIP = '', podIPs: [first] = [] } = status;
  if (podIP !== '' && first?.ip !== podIP) status.podIPs = [{ ip: podIP }];
  else if (podIP === '' && first?.ip !== undefined) status.podIP = first.ip;
}

/** `old` with the resources of `wanted`; undefined if containers were added or removed: validation reports it. */
function resizedSpec(wanted: PodSpec, old: PodSpec): PodSpec | undefined {
  const lists = ['containers', 'initContainers'] as const;
  if (lists.some((list) => (wanted[list] ?? []).length !== (old[list] ?? []).length)) return undefined;
  const spec = cloneData(old);
  for (const list of lists) {
    const containers = wanted[list];
    if (containers !== undefined) spec[list] = resizedContainers(containers, old[list] ?? []);
  }
  const resources = wanted.resources ?? spec.resources;
  if (resources !== undefined) spec.resources = resources;
  completePodResources(spec);
  return spec;
}

function resizedContainers(wanted: Container[], old: readonly Container[]): Container[] {
  if (wanted.some(({ name }, index) => name !== old[index]?.name)) return wanted;
  return wanted.map(({ resources, resizePolicy }, index) => {
    const { resources: _resources, resizePolicy: _policy, ...kept } = cloneData(old[index] ?? {});
    return {
      ...kept,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });
}
