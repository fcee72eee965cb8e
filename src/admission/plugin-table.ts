import type { AdmissionPlugin } from '../api/contracts/admission.ts';
import { alwaysAdmit } from './plugins/always-admit.ts';
import { alwaysDeny } from './plugins/always-deny.ts';
import { alwaysPullImages } from './plugins/always-pull-images.ts';
import {
  certificateApproval,
  certificateSigning,
  clusterTrustBundleAttest,
} from './plugins/certificate-permissions.ts';
import { certificateSubjectRestriction } from './plugins/certificate-subject-restriction.ts';
import {
  loadEventRateLimit,
  loadImagePolicyWebhook,
  loadNodeRestriction,
  loadPodNodeSelector,
  loadPodTolerationRestriction,
  loadResourceQuota,
  loadServiceAccount,
  makePodSecurity,
} from './configured-plugins.ts';
import { defaultIngressClass } from './plugins/default-ingress-class.ts';
import { defaultStorageClass } from './plugins/default-storage-class.ts';
import { defaultTolerationSeconds } from './plugins/default-toleration-seconds.ts';
import { denyServiceExternalIps } from './plugins/deny-service-external-ips.ts';
import { extendedResourceToleration } from './plugins/extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './plugins/limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './plugins/limit-ranger/limit-ranger.ts';
import { namespaceAutoProvision } from './plugins/namespace-auto-provision.ts';
import { namespaceExists } from './plugins/namespace-exists.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
import { nodeDeclaredFeatureValidator } from './plugins/node-declared-feature-validator/node-declared-feature-validator.ts';
import { ownerReferencesPermission } from './plugins/owner-references-permission.ts';
import { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.ts';
import type { PluginContext } from './plugin-context.ts';
import { podGroupProtection } from './plugins/pod-group-protection.ts';
import { podResizeValidator } from './plugins/pod-resize-validator.ts';
import { podTopologyLabels } from './plugins/pod-topology-labels.ts';
import { priority } from './plugins/priority.ts';
import { runtimeClass } from './plugins/runtime-class.ts';
import { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
import { mutatingAdmissionPolicy } from './policies/mutating/mutating-admission-policy.ts';
import { validatingAdmissionPolicy } from './policies/validating/validating-admission-policy.ts';
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './webhooks/webhook-plugin.ts';

export interface PluginRow {
  readonly name: string;
  readonly byDefault: 'on' | 'off';
  /** Large plugins are imported here, on demand. */
  readonly make: (context: PluginContext) => AdmissionPlugin | Promise<AdmissionPlugin>;
}

/** Every plugin of the reference, in execution order. */
export const pluginTable: readonly PluginRow[] = [
  { name: 'AlwaysAdmit', byDefault: 'off', make: () => alwaysAdmit },
  { name: 'NamespaceAutoProvision', byDefault: 'off', make: namespaceAutoProvision },
  { name: 'NamespaceLifecycle', byDefault: 'on', make: namespaceLifecycle },
  { name: 'NamespaceExists', byDefault: 'off', make: namespaceExists },
  { name: 'LimitPodHardAntiAffinityTopology', byDefault: 'off', make: () => limitPodHardAntiAffinityTopology },
  { name: 'LimitRanger', byDefault: 'on', make: limitRanger },
  { name: 'ServiceAccount', byDefault: 'on', make: loadServiceAccount },
  { name: 'NodeRestriction', byDefault: 'off', make: loadNodeRestriction },
  { name: 'TaintNodesByCondition', byDefault: 'on', make: () => taintNodesByCondition },
  { name: 'AlwaysPullImages', byDefault: 'off', make: () => alwaysPullImages },
  { name: 'ImagePolicyWebhook', byDefault: 'off', make: loadImagePolicyWebhook },
  { name: 'PodSecurity', byDefault: 'on', make: makePodSecurity },
  { name: 'PodNodeSelector', byDefault: 'off', make: loadPodNodeSelector },
  { name: 'Priority', byDefault: 'on', make: priority },
  { name: 'DefaultTolerationSeconds', byDefault: 'on', make: defaultTolerationSeconds },
  { name: 'PodTolerationRestriction', byDefault: 'off', make: loadPodTolerationRestriction },
  { name: 'EventRateLimit', byDefault: 'off', make: loadEventRateLimit },
  { name: 'ExtendedResourceToleration', byDefault: 'off', make: () => extendedResourceToleration },
  { name: 'DefaultStorageClass', byDefault: 'on', make: defaultStorageClass },
  { name: 'StorageObjectInUseProtection', byDefault: 'on', make: () => storageObjectInUseProtection },
  { name: 'PodGroupProtection', byDefault: 'on', make: podGroupProtection },
  { name: 'OwnerReferencesPermissionEnforcement', byDefault: 'off', make: ownerReferencesPermission },
  { name: 'PersistentVolumeClaimResize', byDefault: 'on', make: persistentVolumeClaimResize },
  { name: 'RuntimeClass', byDefault: 'on', make: runtimeClass },
  { name: 'CertificateApproval', byDefault: 'on', make: certificateApproval },
  { name: 'CertificateSigning', byDefault: 'on', make: certificateSigning },
  { name: 'ClusterTrustBundleAttest', byDefault: 'on', make: clusterTrustBundleAttest },
  { name: 'CertificateSubjectRestriction', byDefault: 'on', make: () => certificateSubjectRestriction },
  { name: 'DefaultIngressClass', byDefault: 'on', make: defaultIngressClass },
  { name: 'DenyServiceExternalIPs', byDefault: 'off', make: () => denyServiceExternalIps },
  { name: 'PodTopologyLabels', byDefault: 'on', make: podTopologyLabels },
  { name: 'NodeDeclaredFeatureValidator', byDefault: 'on', make: nodeDeclaredFeatureValidator },
  { name: 'PodResizeValidator', byDefault: 'on', make: podResizeValidator },
  { name: 'MutatingAdmissionPolicy', byDefault: 'on', make: mutatingAdmissionPolicy },
  { name: 'MutatingAdmissionWebhook', byDefault: 'on', make: mutatingAdmissionWebhook },
  { name: 'ValidatingAdmissionPolicy', byDefault: 'on', make: validatingAdmissionPolicy },
  { name: 'ValidatingAdmissionWebhook', byDefault: 'on', make: validatingAdmissionWebhook },
  { name: 'ResourceQuota', byDefault: 'on', make: loadResourceQuota },
  { name: 'AlwaysDeny', byDefault: 'off', make: () => alwaysDeny },
];
