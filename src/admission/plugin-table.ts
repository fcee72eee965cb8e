import type { AdmissionPlugin } from '../api/admission.ts';
import { alwaysAdmit } from './always-admit.ts';
import { alwaysDeny } from './always-deny.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { certificateSubjectRestriction } from './certificate-subject-restriction.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { denyServiceExternalIps } from './deny-service-external-ips.ts';
import { extendedResourceToleration } from './extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceExists } from './namespace-exists.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import type { PluginContext } from './plugin-context.ts';
import { podResizeValidator } from './pod-resize-validator.ts';
import { podSecurity } from './pod-security.ts';
import { podTopologyLabels } from './pod-topology-labels.ts';
import { priority } from './priority.ts';
import { runtimeClass } from './runtime-class.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './webhooks/webhook-plugin.ts';

export interface PluginRow {
  readonly name: string;
  readonly byDefault: 'on' | 'off';
  /** Absent: not built yet. Large plugins are imported here, on demand. */
  readonly make?: (context: PluginContext) => AdmissionPlugin | Promise<AdmissionPlugin>;
}

/** Every plugin of the reference, in execution order. */
export const pluginTable: readonly PluginRow[] = [
  { name: 'AlwaysAdmit', byDefault: 'off', make: () => alwaysAdmit },
  { name: 'NamespaceAutoProvision', byDefault: 'off' },
  { name: 'NamespaceLifecycle', byDefault: 'on', make: namespaceLifecycle },
  { name: 'NamespaceExists', byDefault: 'off', make: namespaceExists },
  { name: 'LimitPodHardAntiAffinityTopology', byDefault: 'off', make: () => limitPodHardAntiAffinityTopology },
  { name: 'LimitRanger', byDefault: 'on', make: limitRanger },
  { name: 'ServiceAccount', byDefault: 'on' },
  { name: 'NodeRestriction', byDefault: 'off', make: loadNodeRestriction },
  { name: 'TaintNodesByCondition', byDefault: 'on', make: () => taintNodesByCondition },
  { name: 'AlwaysPullImages', byDefault: 'off', make: () => alwaysPullImages },
  { name: 'ImagePolicyWebhook', byDefault: 'off' },
  { name: 'PodSecurity', byDefault: 'on', make: podSecurity },
  { name: 'PodNodeSelector', byDefault: 'off' },
  { name: 'Priority', byDefault: 'on', make: priority },
  { name: 'DefaultTolerationSeconds', byDefault: 'on', make: defaultTolerationSeconds },
  { name: 'PodTolerationRestriction', byDefault: 'off' },
  { name: 'EventRateLimit', byDefault: 'off' },
  { name: 'ExtendedResourceToleration', byDefault: 'off', make: () => extendedResourceToleration },
  { name: 'DefaultStorageClass', byDefault: 'on', make: defaultStorageClass },
  { name: 'StorageObjectInUseProtection', byDefault: 'on', make: () => storageObjectInUseProtection },
  { name: 'PodGroupProtection', byDefault: 'on' },
  { name: 'OwnerReferencesPermissionEnforcement', byDefault: 'off' },
  { name: 'PersistentVolumeClaimResize', byDefault: 'on', make: persistentVolumeClaimResize },
  { name: 'RuntimeClass', byDefault: 'on', make: runtimeClass },
  { name: 'CertificateApproval', byDefault: 'on' },
  { name: 'CertificateSigning', byDefault: 'on' },
  { name: 'ClusterTrustBundleAttest', byDefault: 'on' },
  { name: 'CertificateSubjectRestriction', byDefault: 'on', make: () => certificateSubjectRestriction },
  { name: 'DefaultIngressClass', byDefault: 'on', make: defaultIngressClass },
  { name: 'DenyServiceExternalIPs', byDefault: 'off', make: () => denyServiceExternalIps },
  { name: 'PodTopologyLabels', byDefault: 'on', make: podTopologyLabels },
  { name: 'NodeDeclaredFeatureValidator', byDefault: 'on' },
  { name: 'PodResizeValidator', byDefault: 'on', make: podResizeValidator },
  { name: 'MutatingAdmissionPolicy', byDefault: 'on' },
  { name: 'MutatingAdmissionWebhook', byDefault: 'on', make: mutatingAdmissionWebhook },
  { name: 'ValidatingAdmissionPolicy', byDefault: 'on' },
  { name: 'ValidatingAdmissionWebhook', byDefault: 'on', make: validatingAdmissionWebhook },
  { name: 'ResourceQuota', byDefault: 'on' },
  { name: 'AlwaysDeny', byDefault: 'off', make: () => alwaysDeny },
];

async function loadNodeRestriction(context: PluginContext): Promise<AdmissionPlugin> {
  const { nodeRestriction } = await import('./node-restriction/node-restriction.ts');
  return nodeRestriction(context);
}
