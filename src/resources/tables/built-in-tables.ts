import type { TableDefinition } from '../../registry/table.ts';
import * as admissionRegistration from './admission-registration.ts';
import { customResourceDefinitions } from './apiextensions.ts';
import { apiServices } from './apiregistration.ts';
import * as apps from './apps.ts';
import { horizontalPodAutoscalers, scales } from './autoscaling.ts';
import { cronJobs, jobs } from './batch.ts';
import * as certificates from './certificates.ts';
import { leaseCandidates, leases } from './coordination.ts';
import * as core from './core.ts';
import { endpointSlices } from './discovery.ts';
import { coreEvents, events } from './events.ts';
import { flowSchemas, priorityLevelConfigurations } from './flow-control.ts';
import { evictionRequests, evictions } from './lifecycle.ts';
import * as networking from './networking.ts';
import { nodes } from './nodes.ts';
import { pods } from './pods.ts';
import { podDisruptionBudgets } from './policy.ts';
import { clusterRoleBindings, roleBindings } from './rbac.ts';
import * as resource from './resource.ts';
import { runtimeClasses } from './runtime-classes.ts';
import * as scheduling from './scheduling.ts';
import { endpoints, services } from './services.ts';
import { storageVersionMigrations, storageVersions } from './storage-versions.ts';
import * as storage from './storage.ts';
import { persistentVolumeClaims, persistentVolumes } from './volumes.ts';

/** The Table form of every built-in kind that has one of its own, by `group/Kind` (`/Pod` in the core group). */
export const builtInTables: ReadonlyMap<string, TableDefinition> = new Map([
  ['/ComponentStatus', core.componentStatuses],
  ['/ConfigMap', core.configMaps],
  ['/Endpoints', endpoints],
  ['/Event', coreEvents],
  ['/Namespace', core.namespaces],
  ['/Node', nodes],
  ['/PersistentVolume', persistentVolumes],
  ['/PersistentVolumeClaim', persistentVolumeClaims],
  ['/Pod', pods],
  ['/PodTemplate', core.podTemplates],
  ['/ReplicationController', core.replicationControllers],
  ['/ResourceQuota', core.resourceQuotas],
  ['/Secret', core.secrets],
  ['/Service', services],
  ['/ServiceAccount', core.serviceAccounts],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicy', admissionRegistration.mutatingAdmissionPolicies],
  [
    'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
    admissionRegistration.mutatingAdmissionPolicyBindings,
  ],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', admissionRegistration.mutatingWebhookConfigurations],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', admissionRegistration.validatingAdmissionPolicies],
  [
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
    admissionRegistration.validatingAdmissionPolicyBindings,
  ],
  [
    'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
    admissionRegistration.validatingWebhookConfigurations,
  ],
  ['apiextensions.k8s.io/CustomResourceDefinition', customResourceDefinitions],
  ['apiregistration.k8s.io/APIService', apiServices],
  ['apps/ControllerRevision', apps.controllerRevisions],
  ['apps/DaemonSet', apps.daemonSets],
  ['apps/Deployment', apps.deployments],
  ['apps/ReplicaSet', apps.replicaSets],
  ['apps/StatefulSet', apps.statefulSets],
  ['autoscaling/HorizontalPodAutoscaler', horizontalPodAutoscalers],
  ['autoscaling/Scale', scales],
  ['batch/CronJob', cronJobs],
  ['batch/Job', jobs],
  ['certificates.k8s.io/CertificateSigningRequest', certificates.certificateSigningRequests],
  ['certificates.k8s.io/ClusterTrustBundle', certificates.clusterTrustBundles],
  ['certificates.k8s.io/PodCertificateRequest', certificates.podCertificateRequests],
  ['coordination.k8s.io/Lease', leases],
  ['coordination.k8s.io/LeaseCandidate', leaseCandidates],
  ['discovery.k8s.io/EndpointSlice', endpointSlices],
  ['events.k8s.io/Event', events],
  ['flowcontrol.apiserver.k8s.io/FlowSchema', flowSchemas],
  ['flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration', priorityLevelConfigurations],
  ['internal.apiserver.k8s.io/StorageVersion', storageVersions],
  ['lifecycle.k8s.io/Eviction', evictions],
  ['lifecycle.k8s.io/EvictionRequest', evictionRequests],
  ['networking.k8s.io/IPAddress', networking.ipAddresses],
  ['networking.k8s.io/Ingress', networking.ingresses],
  ['networking.k8s.io/IngressClass', networking.ingressClasses],
  ['networking.k8s.io/NetworkPolicy', networking.networkPolicies],
  ['networking.k8s.io/ServiceCIDR', networking.serviceCidrs],
  ['node.k8s.io/RuntimeClass', runtimeClasses],
  ['policy/PodDisruptionBudget', podDisruptionBudgets],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', clusterRoleBindings],
  ['rbac.authorization.k8s.io/RoleBinding', roleBindings],
  ['resource.k8s.io/DeviceClass', resource.deviceClasses],
  ['resource.k8s.io/DeviceTaintRule', resource.deviceTaintRules],
  ['resource.k8s.io/ResourceClaim', resource.resourceClaims],
  ['resource.k8s.io/ResourceClaimTemplate', resource.resourceClaimTemplates],
  ['resource.k8s.io/ResourcePoolStatusRequest', resource.resourcePoolStatusRequests],
  ['resource.k8s.io/ResourceSlice', resource.resourceSlices],
  ['scheduling.k8s.io/CompositePodGroup', scheduling.compositePodGroups],
  ['scheduling.k8s.io/PodGroup', scheduling.podGroups],
  ['scheduling.k8s.io/PriorityClass', scheduling.priorityClasses],
  ['scheduling.k8s.io/Workload', scheduling.workloads],
  ['storage.k8s.io/CSIDriver', storage.csiDrivers],
  ['storage.k8s.io/CSINode', storage.csiNodes],
  ['storage.k8s.io/StorageClass', storage.storageClasses],
  ['storage.k8s.io/VolumeAttachment', storage.volumeAttachments],
  ['storage.k8s.io/VolumeAttributesClass', storage.volumeAttributesClasses],
  ['storagemigration.k8s.io/StorageVersionMigration', storageVersionMigrations],
]);
