import { mutatingAdmissionPolicyBindingKind } from './admissionregistration/mutating-admission-policy-binding/kind.ts';
import { mutatingAdmissionPolicyKind } from './admissionregistration/mutating-admission-policy/kind.ts';
import { mutatingWebhookConfigurationKind } from './admissionregistration/mutating-webhook-configuration/kind.ts';
import { validatingAdmissionPolicyBindingKind } from './admissionregistration/validating-admission-policy-binding/kind.ts';
import { validatingAdmissionPolicyKind } from './admissionregistration/validating-admission-policy/kind.ts';
import { validatingWebhookConfigurationKind } from './admissionregistration/validating-webhook-configuration/kind.ts';
import { customResourceDefinitionKind } from './apiextensions/custom-resource-definition/kind.ts';
import { apiServiceKind } from './apiregistration/api-service/kind.ts';
import { storageVersionKind } from './apiserverinternal/storage-version/kind.ts';
import { controllerRevisionKind } from './apps/controller-revision/kind.ts';
import { daemonSetKind } from './apps/daemon-set/kind.ts';
import { deploymentKind } from './apps/deployment/kind.ts';
import { replicaSetKind } from './apps/replica-set/kind.ts';
import { statefulSetKind } from './apps/stateful-set/kind.ts';
import { horizontalPodAutoscalerKind } from './autoscaling/horizontal-pod-autoscaler/kind.ts';
import { scaleKind } from './autoscaling/scale/kind.ts';
import { cronJobKind } from './batch/cron-job/kind.ts';
import { jobKind } from './batch/job/kind.ts';
import { certificateSigningRequestKind } from './certificates/certificate-signing-request/kind.ts';
import { clusterTrustBundleKind } from './certificates/cluster-trust-bundle/kind.ts';
import { podCertificateRequestKind } from './certificates/pod-certificate-request/kind.ts';
import { leaseCandidateKind } from './coordination/lease-candidate/kind.ts';
import { leaseKind } from './coordination/lease/kind.ts';
import { componentStatusKind } from './core/component-status/kind.ts';
import { configMapKind } from './core/config-map/kind.ts';
import { endpointsKind } from './core/endpoints/kind.ts';
import { eventKind } from './core/event/kind.ts';
import { limitRangeKind } from './core/limit-range/kind.ts';
import { namespaceKind } from './core/namespace/kind.ts';
import { nodeKind } from './core/node/kind.ts';
import { persistentVolumeClaimKind } from './core/persistent-volume-claim/kind.ts';
import { persistentVolumeKind } from './core/persistent-volume/kind.ts';
import { podTemplateKind } from './core/pod-template/kind.ts';
import { podKind } from './core/pod/kind.ts';
import { replicationControllerKind } from './core/replication-controller/kind.ts';
import { resourceQuotaKind } from './core/resource-quota/kind.ts';
import { secretKind } from './core/secret/kind.ts';
import { serviceAccountKind } from './core/service-account/kind.ts';
import { serviceKind } from './core/service/kind.ts';
import { type BuiltInKind, defineKind } from './define-kind.ts';
import { endpointSliceKind } from './discovery/endpoint-slice/kind.ts';
import { namedEventKind } from './events/event/kind.ts';
import { flowSchemaKind } from './flowcontrol/flow-schema/kind.ts';
import { priorityLevelConfigurationKind } from './flowcontrol/priority-level-configuration/kind.ts';
import { evictionRequestKind } from './lifecycle/eviction-request/kind.ts';
import { evictionKind } from './lifecycle/eviction/kind.ts';
import { ingressClassKind } from './networking/ingress-class/kind.ts';
import { ingressKind } from './networking/ingress/kind.ts';
import { ipAddressKind } from './networking/ip-address/kind.ts';
import { networkPolicyKind } from './networking/network-policy/kind.ts';
import { serviceCidrKind } from './networking/service-cidr/kind.ts';
import { runtimeClassKind } from './node/runtime-class/kind.ts';
import { podDisruptionBudgetKind } from './policy/pod-disruption-budget/kind.ts';
import { clusterRoleBindingKind } from './rbac/cluster-role-binding/kind.ts';
import { clusterRoleKind } from './rbac/cluster-role/kind.ts';
import { roleBindingKind } from './rbac/role-binding/kind.ts';
import { roleKind } from './rbac/role/kind.ts';
import { deviceClassKind } from './resource/device-class/kind.ts';
import { deviceTaintRuleKind } from './resource/device-taint-rule/kind.ts';
import { resourceClaimTemplateKind } from './resource/resource-claim-template/kind.ts';
import { resourceClaimKind } from './resource/resource-claim/kind.ts';
import { resourcePoolStatusRequestKind } from './resource/resource-pool-status-request/kind.ts';
import { resourceSliceKind } from './resource/resource-slice/kind.ts';
import { compositePodGroupKind } from './scheduling/composite-pod-group/kind.ts';
import { podGroupKind } from './scheduling/pod-group/kind.ts';
import { priorityClassKind } from './scheduling/priority-class/kind.ts';
import { workloadKind } from './scheduling/workload/kind.ts';
import { csiDriverKind } from './storage/csi-driver/kind.ts';
import { csiNodeKind } from './storage/csi-node/kind.ts';
import { csiStorageCapacityKind } from './storage/csi-storage-capacity/kind.ts';
import { storageClassKind } from './storage/storage-class/kind.ts';
import { volumeAttachmentKind } from './storage/volume-attachment/kind.ts';
import { volumeAttributesClassKind } from './storage/volume-attributes-class/kind.ts';
import { storageVersionMigrationKind } from './storagemigration/storage-version-migration/kind.ts';

/** Kinds that do more than their schemas say, one row each. */
export const kindTable: readonly BuiltInKind[] = [
  mutatingAdmissionPolicyBindingKind,
  mutatingAdmissionPolicyKind,
  mutatingWebhookConfigurationKind,
  validatingAdmissionPolicyBindingKind,
  validatingAdmissionPolicyKind,
  validatingWebhookConfigurationKind,
  customResourceDefinitionKind,
  apiServiceKind,
  storageVersionKind,
  controllerRevisionKind,
  daemonSetKind,
  deploymentKind,
  replicaSetKind,
  statefulSetKind,
  horizontalPodAutoscalerKind,
  scaleKind,
  cronJobKind,
  jobKind,
  certificateSigningRequestKind,
  clusterTrustBundleKind,
  podCertificateRequestKind,
  leaseCandidateKind,
  leaseKind,
  componentStatusKind,
  configMapKind,
  endpointsKind,
  eventKind,
  limitRangeKind,
  namespaceKind,
  nodeKind,
  persistentVolumeClaimKind,
  persistentVolumeKind,
  podTemplateKind,
  podKind,
  replicationControllerKind,
  resourceQuotaKind,
  secretKind,
  serviceAccountKind,
  serviceKind,
  endpointSliceKind,
  namedEventKind,
  flowSchemaKind,
  priorityLevelConfigurationKind,
  evictionRequestKind,
  evictionKind,
  ingressClassKind,
  ingressKind,
  ipAddressKind,
  networkPolicyKind,
  serviceCidrKind,
  runtimeClassKind,
  podDisruptionBudgetKind,
  clusterRoleBindingKind,
  clusterRoleKind,
  roleBindingKind,
  roleKind,
  deviceClassKind,
  deviceTaintRuleKind,
  resourceClaimTemplateKind,
  resourceClaimKind,
  resourcePoolStatusRequestKind,
  resourceSliceKind,
  compositePodGroupKind,
  podGroupKind,
  priorityClassKind,
  workloadKind,
  csiDriverKind,
  csiNodeKind,
  csiStorageCapacityKind,
  storageClassKind,
  volumeAttachmentKind,
  volumeAttributesClassKind,
  storageVersionMigrationKind,
];

const known = new Map(kindTable.map((definition) => [keyOf(definition.group, definition.kind), definition]));

/** A kind by group (empty for core) and name; kinds without a row get defaults. */
export function builtInKind(group: string, kind: string): BuiltInKind {
  const key = keyOf(group, kind);
  let definition = known.get(key);
  if (definition === undefined) {
    definition = defineKind({ group, kind });
    known.set(key, definition);
  }
  return definition;
}

function keyOf(group: string, kind: string): string {
  return `${group}/${kind}`;
}
