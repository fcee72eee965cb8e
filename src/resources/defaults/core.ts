import type { Defaulters } from '../../schema/defaulters.ts';
import type {
  Container,
  LimitRangeItem,
  Namespace,
  NodeStatus,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  PodStatus,
  Probe,
  ReplicationController,
  Service,
  Volume,
} from '../../schema/kubernetes/generated/types/core-v1.ts';
import { fill, fixed, typed } from '../parts/defaults/fill.ts';
import { imageTag } from '../parts/pod-template/image-tag.ts';
import { inTurn, roundsUp } from '../parts/amounts/resource-list.ts';

const fileMode = 0o644;

/** Defaults of the core group. */
export const coreDefaults: Defaulters = {
  'io.k8s.api.core.v1.ConfigMapVolumeSource': fixed({ defaultMode: fileMode }),
  'io.k8s.api.core.v1.Container': typed(defaultContainer),
  'io.k8s.api.core.v1.DownwardAPIVolumeSource': fixed({ defaultMode: fileMode }),
  'io.k8s.api.core.v1.EndpointPort': fixed({ protocol: 'TCP' }),
  'io.k8s.api.core.v1.EphemeralContainer': typed(defaultContainer),
  'io.k8s.api.core.v1.HTTPGetAction': fixed({ path: '/', scheme: 'HTTP' }),
  'io.k8s.api.core.v1.HostPathVolumeSource': fixed({ type: '' }),
  'io.k8s.api.core.v1.LimitRangeItem': inTurn(
    typed(defaultLimitRangeItem),
    roundsUp('default', 'defaultRequest', 'max', 'maxLimitRequestRatio', 'min'),
  ),
  'io.k8s.api.core.v1.Namespace': typed(defaultNamespace),
  'io.k8s.api.core.v1.NamespaceStatus': fixed({ phase: 'Active' }),
  'io.k8s.api.core.v1.NodeStatus': inTurn(
    typed<NodeStatus>((status) => {
      if (status.capacity !== undefined) status.allocatable ??= { ...status.capacity };
    }),
    roundsUp('allocatable', 'capacity'),
  ),
  'io.k8s.api.core.v1.ObjectFieldSelector': fixed({ apiVersion: 'v1' }),
  'io.k8s.api.core.v1.PersistentVolume': typed<PersistentVolume>((volume) => {
    volume.status = { phase: 'Pending', ...volume.status };
    volume.spec ??= {};
    volume.spec.persistentVolumeReclaimPolicy ??= 'Retain';
    volume.spec.volumeMode ??= 'Filesystem';
  }),
  'io.k8s.api.core.v1.PersistentVolumeClaim': typed<PersistentVolumeClaim>((claim) => {
    claim.status = { phase: 'Pending', ...claim.status };
  }),
  'io.k8s.api.core.v1.PersistentVolumeClaimSpec': fixed({ volumeMode: 'Filesystem' }),
  'io.k8s.api.core.v1.PersistentVolumeClaimStatus': roundsUp('allocatedResources', 'capacity'),
  'io.k8s.api.core.v1.PersistentVolumeSpec': roundsUp('capacity'),
  'io.k8s.api.core.v1.Pod': typed(defaultPod),
  'io.k8s.api.core.v1.PodSpec': inTurn(typed(defaultPodSpec), roundsUp('overhead')),
  'io.k8s.api.core.v1.PodStatus': typed(defaultPodStatus),
  'io.k8s.api.core.v1.Probe': typed<Probe>((probe) => {
    fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  }),
  'io.k8s.api.core.v1.ProjectedVolumeSource': fixed({ defaultMode: fileMode }),
  'io.k8s.api.core.v1.ReplicationController': typed(defaultReplicationController),
  'io.k8s.api.core.v1.ResourceQuotaSpec': roundsUp('hard'),
  'io.k8s.api.core.v1.ResourceQuotaStatus': roundsUp('hard', 'used'),
  'io.k8s.api.core.v1.ResourceRequirements': roundsUp('limits', 'requests'),
  'io.k8s.api.core.v1.Secret': fixed({ type: 'Opaque' }),
  'io.k8s.api.core.v1.SecretVolumeSource': fixed({ defaultMode: fileMode }),
  'io.k8s.api.core.v1.Service': typed(defaultService),
  'io.k8s.api.core.v1.ServiceAccountTokenProjection': fixed({ expirationSeconds: 3600 }),
  'io.k8s.api.core.v1.Volume': typed(defaultVolume),
  'io.k8s.api.core.v1.VolumeResourceRequirements': roundsUp('limits', 'requests'),
};

function pullPolicy(image: string): 'Always' | 'IfNotPresent' {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultContainer(container: Container): void {
  container.imagePullPolicy ??= pullPolicy(container.image ?? '');
  container.terminationMessagePath ??= '/dev/termination-log';
  container.terminationMessagePolicy ??= 'File';
}

/** A volume without a source is an empty directory. */
function defaultVolume(volume: Volume): void {
  if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
  const { image } = volume;
  if (image !== undefined) image.pullPolicy ??= pullPolicy(image.reference ?? '');
}

/** What only pods do, and the templates of pods do not. */
function defaultPod(pod: Pod): void {
  pod.spec ??= {};
  const { spec } = pod;
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  for (const { resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    if (resources?.limits === undefined) continue;
    resources.requests = { ...resources.limits, ...resources.requests };
  }
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) defaultHostPorts([...(spec.containers ?? []), ...(spec.initContainers ?? [])]);
}

function defaultHostPorts(containers: readonly Container[]): void {
  for (const port of containers.flatMap(({ ports = [] }) => ports)) {
    if (port.containerPort !== undefined) port.hostPort ??= port.containerPort;
  }
}

function defaultPodSpec(spec: PodSpec): void {
  const account = spec.serviceAccountName ?? spec.serviceAccount;
  if (account !== undefined) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
  spec.dnsPolicy ??= 'ClusterFirst';
  spec.restartPolicy ??= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ??= 'default-scheduler';
}

function defaultPodStatus(status: PodStatus): void {
  const [first] = status.podIPs ?? [];
  if (status.podIP !== undefined && first?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
  else if (status.podIP === undefined && first?.ip !== undefined) status.podIP = first.ip;
}

function defaultNamespace(namespace: Namespace): void {
  const name = namespace.metadata?.name;
  if (name === undefined) return;
  namespace.metadata = {
    ...namespace.metadata,
    labels: { ...namespace.metadata?.labels, 'kubernetes.io/metadata.name': name },
  };
}

function defaultReplicationController(controller: ReplicationController): void {
  const labels = controller.spec?.template?.metadata?.labels;
  if (labels === undefined) return;
  controller.spec ??= {};
  controller.spec.selector ??= { ...labels };
  controller.metadata = { ...controller.metadata, labels: controller.metadata?.labels ?? { ...labels } };
}

function defaultLimitRangeItem(item: LimitRangeItem): void {
  if (item.type !== 'Container') return;
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}

const exposedTypes: ReadonlySet<string> = new Set(['NodePort', 'LoadBalancer']);
const clientIpAffinitySeconds = 10_800;

function defaultService(service: Service): void {
  service.spec ??= {};
  const { spec } = service;
  spec.sessionAffinity ??= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  else if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: clientIpAffinitySeconds } };
  }
  spec.type ??= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ??= 'TCP';
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '')
      port.targetPort = port.port ?? 0;
  }
  const exposed = exposedTypes.has(spec.type) || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
  if (exposed) spec.externalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) {
    if (ingress.ip !== undefined) ingress.ipMode ??= 'VIP';
  }
}
