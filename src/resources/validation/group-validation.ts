import type * as autoscaling from '../../schema/kubernetes/generated/types/autoscaling-v2.ts';
import type * as coordination from '../../schema/kubernetes/generated/types/coordination-v1.ts';
import type * as discovery from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import type * as networking from '../../schema/kubernetes/generated/types/networking-v1.ts';
import type * as nodes from '../../schema/kubernetes/generated/types/node-v1.ts';
import type * as policy from '../../schema/kubernetes/generated/types/policy-v1.ts';
import type * as rbac from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import type * as scheduling from '../../schema/kubernetes/generated/types/scheduling-v1.ts';
import type * as storage from '../../schema/kubernetes/generated/types/storage-v1.ts';
import type {
  ClusterTrustBundle,
  PodCertificateRequest,
} from '../../schema/kubernetes/generated/types/certificates-v1.ts';
import type { StorageVersionMigration } from '../../schema/kubernetes/generated/types/storagemigration-v1.ts';
import type { StorageVersion } from '../../schema/kubernetes/generated/types/apiserverinternal-v1alpha1.ts';
import type { LeaseCandidate } from '../../schema/kubernetes/generated/types/coordination-v1beta1.ts';
import { leaseCandidate, leaseCandidateUpdate } from '../coordination/lease-candidate/validation.ts';
import { storageVersionStatus } from '../apiserverinternal/storage-version/validation.ts';
import {
  podCertificateRequest,
  podCertificateRequestUpdate,
  podCertificateStatus,
} from '../certificates/pod-certificate-request/validation.ts';
import { trustBundle, trustBundleUpdate } from '../certificates/cluster-trust-bundle/validation.ts';
import { bindingNames } from '../rbac/validation.ts';
import { clusterRole } from '../rbac/validation.ts';
import { role } from '../rbac/validation.ts';
import { roleBinding } from '../rbac/validation.ts';
import { roleRefUpdate } from '../rbac/validation.ts';
import { finalizerErrors, type KindValidation, kindValidation } from '../kind-validation.ts';
import { ingress } from '../networking/ingress/validation.ts';
import { ingressClass } from '../networking/ingress-class/validation.ts';
import { ingressClassAnnotation } from '../networking/ingress/validation.ts';
import { ingressClassUpdate } from '../networking/ingress-class/validation.ts';
import { ingressStatus } from '../networking/ingress/validation.ts';
import { ipAddressObject } from '../networking/ip-address/validation.ts';
import { ipAddressUpdate } from '../networking/ip-address/validation.ts';
import { networkPolicy } from '../networking/network-policy/validation.ts';
import { serviceCidr } from '../networking/service-cidr/validation.ts';
import { serviceCidrUpdate } from '../networking/service-cidr/validation.ts';
import { autoscaler, autoscalerStatus } from '../autoscaling/horizontal-pod-autoscaler/validation.ts';
import { signingRequestValidation } from '../certificates/certificate-signing-request/validation.ts';
import { disruptionBudget } from '../policy/pod-disruption-budget/validation.ts';
import { disruptionBudgetStatus } from '../policy/pod-disruption-budget/validation.ts';
import { endpointSlice } from '../discovery/endpoint-slice/validation.ts';
import { endpointSliceUpdate } from '../discovery/endpoint-slice/validation.ts';
import { lease } from '../coordination/lease/validation.ts';
import { priorityClass } from '../scheduling/priority-class/validation.ts';
import { priorityClassUpdate } from '../scheduling/priority-class/validation.ts';
import { runtimeClass } from '../node/runtime-class/validation.ts';
import { runtimeClassUpdate } from '../node/runtime-class/validation.ts';
import { attributesClass } from '../storage/volume-attributes-class/validation.ts';
import { attributesClassUpdate } from '../storage/volume-attributes-class/validation.ts';
import { csiDriver } from '../storage/csi-driver/validation.ts';
import { csiDriverUpdate } from '../storage/csi-driver/validation.ts';
import { csiNode } from '../storage/csi-node/validation.ts';
import { csiNodeUpdate } from '../storage/csi-node/validation.ts';
import { storageCapacity } from '../storage/csi-storage-capacity/validation.ts';
import { storageCapacityUpdate } from '../storage/csi-storage-capacity/validation.ts';
import { storageClass } from '../storage/storage-class/validation.ts';
import { storageClassUpdate } from '../storage/storage-class/validation.ts';
import { volumeAttachment } from '../storage/volume-attachment/validation.ts';
import { volumeAttachmentUpdate } from '../storage/volume-attachment/validation.ts';
import {
  storageVersionMigration,
  storageVersionMigrationStatus,
  storageVersionMigrationUpdate,
} from '../storagemigration/storage-version-migration/validation.ts';

function binding(namespaced: boolean): KindValidation {
  const check = roleBinding(namespaced);
  return kindValidation<rbac.RoleBinding>({
    create: function* (object) {
      yield* check(object);
      yield* bindingNames(object);
    },
    update: function* (object, old) {
      yield* check(object);
      yield* roleRefUpdate(object, old);
      yield* bindingNames(object);
    },
  });
}

/** Kinds of the other groups. */
export const groupValidation: { readonly [kind: string]: KindValidation } = {
  'networking.k8s.io/Ingress': kindValidation<networking.Ingress>({
    both: ingress,
    create: ingressClassAnnotation,
    subresources: { status: ingressStatus },
  }),
  'networking.k8s.io/IngressClass': kindValidation<networking.IngressClass>({
    create: ingressClass,
    update: ingressClassUpdate,
  }),
  'networking.k8s.io/NetworkPolicy': kindValidation<networking.NetworkPolicy>({
    create: (object) => networkPolicy(object),
    update: (object, old) => networkPolicy(object, old),
  }),
  'networking.k8s.io/IPAddress': kindValidation<networking.IPAddress>({
    create: ipAddressObject,
    update: ipAddressUpdate,
  }),
  'networking.k8s.io/ServiceCIDR': kindValidation<networking.ServiceCIDR>({
    create: serviceCidr,
    update: serviceCidrUpdate,
  }),
  'rbac.authorization.k8s.io/Role': kindValidation<rbac.Role>({ both: role }),
  'rbac.authorization.k8s.io/ClusterRole': kindValidation<rbac.ClusterRole>({ both: clusterRole }),
  'rbac.authorization.k8s.io/RoleBinding': binding(true),
  'rbac.authorization.k8s.io/ClusterRoleBinding': binding(false),
  'policy/PodDisruptionBudget': kindValidation<policy.PodDisruptionBudget>({
    both: disruptionBudget,
    subresources: { status: disruptionBudgetStatus },
    anyFinalizer: true,
  }),
  'autoscaling/HorizontalPodAutoscaler': kindValidation<autoscaling.HorizontalPodAutoscaler>({
    create: (object) => autoscaler(object),
    update: (object, old) => autoscaler(object, old),
    subresources: { status: autoscalerStatus },
  }),
  'storage.k8s.io/StorageClass': kindValidation<storage.StorageClass>({
    create: storageClass,
    update: storageClassUpdate,
  }),
  'storage.k8s.io/VolumeAttributesClass': kindValidation<storage.VolumeAttributesClass>({
    create: attributesClass,
    update: attributesClassUpdate,
  }),
  'storage.k8s.io/VolumeAttachment': kindValidation<storage.VolumeAttachment>({
    both: volumeAttachment,
    update: volumeAttachmentUpdate,
  }),
  'storage.k8s.io/CSINode': kindValidation<storage.CSINode>({ both: csiNode, update: csiNodeUpdate }),
  'storage.k8s.io/CSIDriver': kindValidation<storage.CSIDriver>({
    both: csiDriver,
    update: csiDriverUpdate,
  }),
  'storage.k8s.io/CSIStorageCapacity': kindValidation<storage.CSIStorageCapacity>({
    both: storageCapacity,
    update: storageCapacityUpdate,
  }),
  'storagemigration.k8s.io/StorageVersionMigration': kindValidation<StorageVersionMigration>({
    both: storageVersionMigration,
    update: storageVersionMigrationUpdate,
    subresources: { status: storageVersionMigrationStatus },
  }),
  'scheduling.k8s.io/PriorityClass': kindValidation<scheduling.PriorityClass>({
    create: priorityClass,
    update: priorityClassUpdate,
  }),
  'node.k8s.io/RuntimeClass': kindValidation<nodes.RuntimeClass>({
    create: runtimeClass,
    update: runtimeClassUpdate,
    anyFinalizer: true,
  }),
  'certificates.k8s.io/CertificateSigningRequest': signingRequestValidation,
  'certificates.k8s.io/ClusterTrustBundle': kindValidation<ClusterTrustBundle>({
    create: trustBundle,
    update: trustBundleUpdate,
  }),
  'certificates.k8s.io/PodCertificateRequest': kindValidation<PodCertificateRequest>({
    create: podCertificateRequest,
    update: podCertificateRequestUpdate,
    subresources: { status: podCertificateStatus },
  }),
  'coordination.k8s.io/LeaseCandidate': kindValidation<LeaseCandidate>({
    create: leaseCandidate,
    update: leaseCandidateUpdate,
    anyFinalizer: true,
  }),
  'internal.apiserver.k8s.io/StorageVersion': kindValidation<StorageVersion>({
    // Updates check nothing of the object.
    create: function* (version) {
      yield* finalizerErrors(version.metadata?.finalizers);
      yield* storageVersionStatus(version);
    },
    subresources: { status: storageVersionStatus },
    anyFinalizer: true,
  }),
  'coordination.k8s.io/Lease': kindValidation<coordination.Lease>({ both: lease, anyFinalizer: true }),
  'discovery.k8s.io/EndpointSlice': kindValidation<discovery.EndpointSlice>({
    both: endpointSlice,
    update: endpointSliceUpdate,
  }),
};
