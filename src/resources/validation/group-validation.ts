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
import * as access from '../rbac/validation.ts';
import { finalizerErrors, type KindValidation, kindValidation } from '../kind-validation.ts';
import * as network from '../networking/ingress/validation.ts';
import { autoscaler, autoscalerStatus } from '../autoscaling/horizontal-pod-autoscaler/validation.ts';
import { signingRequestValidation } from '../certificates/certificate-signing-request/validation.ts';
import * as small from '../discovery/endpoint-slice/validation.ts';
import * as stores from '../storage/storage-class/validation.ts';
import {
  storageVersionMigration,
  storageVersionMigrationStatus,
  storageVersionMigrationUpdate,
} from '../storagemigration/storage-version-migration/validation.ts';

function binding(namespaced: boolean): KindValidation {
  const check = access.roleBinding(namespaced);
  return kindValidation<rbac.RoleBinding>({
    create: function* (object) {
      yield* check(object);
      yield* access.bindingNames(object);
    },
    update: function* (object, old) {
      yield* check(object);
      yield* access.roleRefUpdate(object, old);
      yield* access.bindingNames(object);
    },
  });
}

/** Kinds of the other groups. */
export const groupValidation: { readonly [kind: string]: KindValidation } = {
  'networking.k8s.io/Ingress': kindValidation<networking.Ingress>({
    both: network.ingress,
    create: network.ingressClassAnnotation,
    subresources: { status: network.ingressStatus },
  }),
  'networking.k8s.io/IngressClass': kindValidation<networking.IngressClass>({
    create: network.ingressClass,
    update: network.ingressClassUpdate,
  }),
  'networking.k8s.io/NetworkPolicy': kindValidation<networking.NetworkPolicy>({
    create: (object) => network.networkPolicy(object),
    update: (object, old) => network.networkPolicy(object, old),
  }),
  'networking.k8s.io/IPAddress': kindValidation<networking.IPAddress>({
    create: network.ipAddressObject,
    update: network.ipAddressUpdate,
  }),
  'networking.k8s.io/ServiceCIDR': kindValidation<networking.ServiceCIDR>({
    create: network.serviceCidr,
    update: network.serviceCidrUpdate,
  }),
  'rbac.authorization.k8s.io/Role': kindValidation<rbac.Role>({ both: access.role }),
  'rbac.authorization.k8s.io/ClusterRole': kindValidation<rbac.ClusterRole>({ both: access.clusterRole }),
  'rbac.authorization.k8s.io/RoleBinding': binding(true),
  'rbac.authorization.k8s.io/ClusterRoleBinding': binding(false),
  'policy/PodDisruptionBudget': kindValidation<policy.PodDisruptionBudget>({
    both: small.disruptionBudget,
    subresources: { status: small.disruptionBudgetStatus },
    anyFinalizer: true,
  }),
  'autoscaling/HorizontalPodAutoscaler': kindValidation<autoscaling.HorizontalPodAutoscaler>({
    create: (object) => autoscaler(object),
    update: (object, old) => autoscaler(object, old),
    subresources: { status: autoscalerStatus },
  }),
  'storage.k8s.io/StorageClass': kindValidation<storage.StorageClass>({
    create: stores.storageClass,
    update: stores.storageClassUpdate,
  }),
  'storage.k8s.io/VolumeAttributesClass': kindValidation<storage.VolumeAttributesClass>({
    create: stores.attributesClass,
    update: stores.attributesClassUpdate,
  }),
  'storage.k8s.io/VolumeAttachment': kindValidation<storage.VolumeAttachment>({
    both: stores.volumeAttachment,
    update: stores.volumeAttachmentUpdate,
  }),
  'storage.k8s.io/CSINode': kindValidation<storage.CSINode>({ both: stores.csiNode, update: stores.csiNodeUpdate }),
  'storage.k8s.io/CSIDriver': kindValidation<storage.CSIDriver>({
    both: stores.csiDriver,
    update: stores.csiDriverUpdate,
  }),
  'storage.k8s.io/CSIStorageCapacity': kindValidation<storage.CSIStorageCapacity>({
    both: stores.storageCapacity,
    update: stores.storageCapacityUpdate,
  }),
  'storagemigration.k8s.io/StorageVersionMigration': kindValidation<StorageVersionMigration>({
    both: storageVersionMigration,
    update: storageVersionMigrationUpdate,
    subresources: { status: storageVersionMigrationStatus },
  }),
  'scheduling.k8s.io/PriorityClass': kindValidation<scheduling.PriorityClass>({
    create: small.priorityClass,
    update: small.priorityClassUpdate,
  }),
  'node.k8s.io/RuntimeClass': kindValidation<nodes.RuntimeClass>({
    create: small.runtimeClass,
    update: small.runtimeClassUpdate,
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
  'coordination.k8s.io/Lease': kindValidation<coordination.Lease>({ both: small.lease, anyFinalizer: true }),
  'discovery.k8s.io/EndpointSlice': kindValidation<discovery.EndpointSlice>({
    both: small.endpointSlice,
    update: small.endpointSliceUpdate,
  }),
};
