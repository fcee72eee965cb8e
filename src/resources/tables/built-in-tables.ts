import type { TableDefinition } from '../table.ts';
import { mutatingAdmissionPolicies } from '../admissionregistration/mutating-admission-policy/table.ts';
import { mutatingAdmissionPolicyBindings } from '../admissionregistration/mutating-admission-policy-binding/table.ts';
import { mutatingWebhookConfigurations } from '../admissionregistration/mutating-webhook-configuration/table.ts';
import { validatingAdmissionPolicies } from '../admissionregistration/validating-admission-policy/table.ts';
import { validatingAdmissionPolicyBindings } from '../admissionregistration/validating-admission-policy-binding/table.ts';
import { validatingWebhookConfigurations } from '../admissionregistration/validating-webhook-configuration/table.ts';
import { customResourceDefinitions } from '../apiextensions/custom-resource-definition/table.ts';
import { apiServices } from '../apiregistration/api-service/table.ts';
import { controllerRevisions } from '../apps/controller-revision/table.ts';
import { daemonSets } from '../apps/daemon-set/table.ts';
import { deployments } from '../apps/deployment/table.ts';
import { replicaSets } from '../apps/replica-set/table.ts';
import { statefulSets } from '../apps/stateful-set/table.ts';
import { horizontalPodAutoscalers } from '../autoscaling/horizontal-pod-autoscaler/table.ts';
import { scales } from '../autoscaling/scale/table.ts';
import { cronJobs } from '../batch/cron-job/table.ts';
import { jobs } from '../batch/job/table.ts';
import { certificateSigningRequests } from '../certificates/certificate-signing-request/table.ts';
import { clusterTrustBundles } from '../certificates/cluster-trust-bundle/table.ts';
import { podCertificateRequests } from '../certificates/pod-certificate-request/table.ts';
import { leaseCandidates } from '../coordination/lease-candidate/table.ts';
import { leases } from '../coordination/lease/table.ts';
import { componentStatuses } from '../core/component-status/table.ts';
import { configMaps } from '../core/config-map/table.ts';
import { namespaces } from '../core/namespace/table.ts';
import { podTemplates } from '../core/pod-template/table.ts';
import { replicationControllers } from '../core/replication-controller/table.ts';
import { resourceQuotas } from '../core/resource-quota/table.ts';
import { secrets } from '../core/secret/table.ts';
import { serviceAccounts } from '../core/service-account/table.ts';
import { endpointSlices } from '../discovery/endpoint-slice/table.ts';
import { coreEvents } from '../core/event/table.ts';
import { events } from '../events/event/table.ts';
import { flowSchemas } from '../flowcontrol/flow-schema/table.ts';
import { priorityLevelConfigurations } from '../flowcontrol/priority-level-configuration/table.ts';
import { evictionRequests } from '../lifecycle/eviction-request/table.ts';
import { evictions } from '../lifecycle/eviction/table.ts';
import { ingressClasses } from '../networking/ingress-class/table.ts';
import { ingresses } from '../networking/ingress/table.ts';
import { ipAddresses } from '../networking/ip-address/table.ts';
import { networkPolicies } from '../networking/network-policy/table.ts';
import { serviceCidrs } from '../networking/service-cidr/table.ts';
import { nodes } from '../core/node/table.ts';
import { pods } from '../core/pod/table.ts';
import { podDisruptionBudgets } from '../policy/pod-disruption-budget/table.ts';
import { clusterRoleBindings } from '../rbac/cluster-role-binding/table.ts';
import { roleBindings } from '../rbac/role-binding/table.ts';
import { deviceClasses } from '../resource/device-class/table.ts';
import { deviceTaintRules } from '../resource/device-taint-rule/table.ts';
import { resourceClaimTemplates } from '../resource/resource-claim-template/table.ts';
import { resourceClaims } from '../resource/resource-claim/table.ts';
import { resourcePoolStatusRequests } from '../resource/resource-pool-status-request/table.ts';
import { resourceSlices } from '../resource/resource-slice/table.ts';
import { runtimeClasses } from '../node/runtime-class/table.ts';
import { compositePodGroups } from '../scheduling/composite-pod-group/table.ts';
import { podGroups } from '../scheduling/pod-group/table.ts';
import { priorityClasses } from '../scheduling/priority-class/table.ts';
import { workloads } from '../scheduling/workload/table.ts';
import { endpoints } from '../core/endpoints/table.ts';
import { services } from '../core/service/table.ts';
import { storageVersionMigrations } from '../storagemigration/storage-version-migration/table.ts';
import { storageVersions } from '../apiserverinternal/storage-version/table.ts';
import { csiDrivers } from '../storage/csi-driver/table.ts';
import { csiNodes } from '../storage/csi-node/table.ts';
import { storageClasses } from '../storage/storage-class/table.ts';
import { volumeAttachments } from '../storage/volume-attachment/table.ts';
import { volumeAttributesClasses } from '../storage/volume-attributes-class/table.ts';
import { persistentVolumeClaims } from '../core/persistent-volume-claim/table.ts';
import { persistentVolumes } from '../core/persistent-volume/table.ts';

/** The Table form of every built-in kind that has one of its own, by `group/Kind` (`/Pod` in the core group). */
export const builtInTables: ReadonlyMap<string, TableDefinition> = new Map([
  ['/ComponentStatus', componentStatuses],
  ['/ConfigMap', configMaps],
  ['/Endpoints', endpoints],
  ['/Event', coreEvents],
  ['/Namespace', namespaces],
  ['/Node', nodes],
  ['/PersistentVolume', persistentVolumes],
  ['/PersistentVolumeClaim', persistentVolumeClaims],
  ['/Pod', pods],
  ['/PodTemplate', podTemplates],
  ['/ReplicationController', replicationControllers],
  ['/ResourceQuota', resourceQuotas],
  ['/Secret', secrets],
  ['/Service', services],
  ['/ServiceAccount', serviceAccounts],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicy', mutatingAdmissionPolicies],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicyBinding', mutatingAdmissionPolicyBindings],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', mutatingWebhookConfigurations],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', validatingAdmissionPolicies],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', validatingAdmissionPolicyBindings],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', validatingWebhookConfigurations],
  ['apiextensions.k8s.io/CustomResourceDefinition', customResourceDefinitions],
  ['apiregistration.k8s.io/APIService', apiServices],
  ['apps/ControllerRevision', controllerRevisions],
  ['apps/DaemonSet', daemonSets],
  ['apps/Deployment', deployments],
  ['apps/ReplicaSet', replicaSets],
  ['apps/StatefulSet', statefulSets],
  ['autoscaling/HorizontalPodAutoscaler', horizontalPodAutoscalers],
  ['autoscaling/Scale', scales],
  ['batch/CronJob', cronJobs],
  ['batch/Job', jobs],
  ['certificates.k8s.io/CertificateSigningRequest', certificateSigningRequests],
  ['certificates.k8s.io/ClusterTrustBundle', clusterTrustBundles],
  ['certificates.k8s.io/PodCertificateRequest', podCertificateRequests],
  ['coordination.k8s.io/Lease', leases],
  ['coordination.k8s.io/LeaseCandidate', leaseCandidates],
  ['discovery.k8s.io/EndpointSlice', endpointSlices],
  ['events.k8s.io/Event', events],
  ['flowcontrol.apiserver.k8s.io/FlowSchema', flowSchemas],
  ['flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration', priorityLevelConfigurations],
  ['internal.apiserver.k8s.io/StorageVersion', storageVersions],
  ['lifecycle.k8s.io/Eviction', evictions],
  ['lifecycle.k8s.io/EvictionRequest', evictionRequests],
  ['networking.k8s.io/IPAddress', ipAddresses],
  ['networking.k8s.io/Ingress', ingresses],
  ['networking.k8s.io/IngressClass', ingressClasses],
  ['networking.k8s.io/NetworkPolicy', networkPolicies],
  ['networking.k8s.io/ServiceCIDR', serviceCidrs],
  ['node.k8s.io/RuntimeClass', runtimeClasses],
  ['policy/PodDisruptionBudget', podDisruptionBudgets],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', clusterRoleBindings],
  ['rbac.authorization.k8s.io/RoleBinding', roleBindings],
  ['resource.k8s.io/DeviceClass', deviceClasses],
  ['resource.k8s.io/DeviceTaintRule', deviceTaintRules],
  ['resource.k8s.io/ResourceClaim', resourceClaims],
  ['resource.k8s.io/ResourceClaimTemplate', resourceClaimTemplates],
  ['resource.k8s.io/ResourcePoolStatusRequest', resourcePoolStatusRequests],
  ['resource.k8s.io/ResourceSlice', resourceSlices],
  ['scheduling.k8s.io/CompositePodGroup', compositePodGroups],
  ['scheduling.k8s.io/PodGroup', podGroups],
  ['scheduling.k8s.io/PriorityClass', priorityClasses],
  ['scheduling.k8s.io/Workload', workloads],
  ['storage.k8s.io/CSIDriver', csiDrivers],
  ['storage.k8s.io/CSINode', csiNodes],
  ['storage.k8s.io/StorageClass', storageClasses],
  ['storage.k8s.io/VolumeAttachment', volumeAttachments],
  ['storage.k8s.io/VolumeAttributesClass', volumeAttributesClasses],
  ['storagemigration.k8s.io/StorageVersionMigration', storageVersionMigrations],
]);
