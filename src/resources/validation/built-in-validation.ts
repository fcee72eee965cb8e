import type * as core from '../../schema/kubernetes/generated/types/core-v1.ts';
import { persistentVolumeClaimStatus } from '../core/persistent-volume-claim/status-validation.ts';
import { configMap } from '../core/config-map/validation.ts';
import { namespace, namespaceFinalize, namespaceStatus } from '../core/namespace/validation.ts';
import { sealed } from '../core/stored-data.ts';
import { secret, secretUpdate } from '../core/secret/validation.ts';
import { replicaSetStatus } from '../parts/workload/validation.ts';
import { replicationController } from '../core/replication-controller/validation.ts';
import { deviceValidation } from './device-validation.ts';
import { event, eventCreate, eventUpdate } from '../core/event/validation.ts';
import { extensionValidation } from './extension-validation.ts';
import { groupValidation } from './group-validation.ts';
import { type KindValidation, kindValidation } from '../kind-validation.ts';
import { endpointSubsets } from '../core/endpoints/validation.ts';
import { node, nodeUpdate } from '../core/node/validation.ts';
import { persistentVolume, persistentVolumeUpdate } from '../core/persistent-volume/validation.ts';
import { persistentVolumeClaim, persistentVolumeClaimUpdate } from '../core/persistent-volume-claim/validation.ts';
import { podResize } from '../core/pod/resize-validation.ts';
import { podStatus } from '../core/pod/status-validation.ts';
import { podTemplateSpec } from '../parts/pod-template/pod-spec.ts';
import { validateEphemeralContainersUpdate, validatePod, validatePodUpdate } from '../core/pod/validation.ts';
import { limitRange } from '../core/limit-range/validation.ts';
import { resourceQuota, resourceQuotaStatus, resourceQuotaUpdate } from '../core/resource-quota/validation.ts';
import { dnsSubdomain, isEmpty } from '../parts/rules/rules.ts';
import { sameValue } from '../parts/rules/same-value.ts';
import { validateService, validateServiceStatus, validateServiceUpdate } from '../core/service/validation.ts';
import { workloadValidation } from './workload-validation.ts';

/** What built-in kinds check, by `group/Kind`; kinds of the core group stand alone. */
export const builtInValidation: { readonly [kind: string]: KindValidation } = {
  ...workloadValidation,
  ...groupValidation,
  ...extensionValidation,
  ...deviceValidation,
  Pod: kindValidation<core.Pod>({
    create: validatePod,
    update: validatePodUpdate,
    subresources: {
      status: podStatus,
      resize: podResize,
      ephemeralcontainers: validateEphemeralContainersUpdate,
    },
  }),
  PodTemplate: kindValidation<core.PodTemplate>({ both: ({ template = {} }) => podTemplateSpec(template, 'template') }),
  ReplicationController: kindValidation<core.ReplicationController>({
    both: replicationController,
    create: ({ metadata }) => (isEmpty(metadata?.name) ? [] : dnsSubdomain(metadata?.name, 'metadata.name')),
    subresources: { status: replicaSetStatus },
  }),
  Service: kindValidation<core.Service>({
    create: (service) => validateService(service),
    update: validateServiceUpdate,
    subresources: { status: validateServiceStatus },
  }),
  ConfigMap: kindValidation<core.ConfigMap>({
    create: configMap,
    update: function* (object, old) {
      yield* sealed(object, old);
      yield* configMap(object);
    },
  }),
  Secret: kindValidation<core.Secret>({ create: secret, update: secretUpdate }),
  Namespace: kindValidation<core.Namespace>({
    create: namespace,
    subresources: { status: namespaceStatus, finalize: namespaceFinalize },
  }),
  ServiceAccount: kindValidation<core.ServiceAccount>({}),
  PersistentVolume: kindValidation<core.PersistentVolume>({ both: persistentVolume, update: persistentVolumeUpdate }),
  PersistentVolumeClaim: kindValidation<core.PersistentVolumeClaim>({
    create: (claim) => persistentVolumeClaim(claim),
    update: persistentVolumeClaimUpdate,
    subresources: { status: persistentVolumeClaimStatus },
  }),
  Node: kindValidation<core.Node>({ create: node, update: nodeUpdate, subresources: { status: nodeUpdate } }),
  Endpoints: kindValidation<core.Endpoints>({
    create: ({ subsets }) => endpointSubsets(subsets, 'subsets'),
    update: ({ subsets }, old) => (sameValue(subsets, old.subsets) ? [] : endpointSubsets(subsets, 'subsets')),
  }),
  Event: kindValidation<core.Event>({
    both: event,
    create: eventCreate,
    update: eventUpdate,
    anyFinalizer: true,
  }),
  LimitRange: kindValidation<core.LimitRange>({ both: limitRange }),
  ResourceQuota: kindValidation<core.ResourceQuota>({
    both: resourceQuota,
    update: resourceQuotaUpdate,
    subresources: { status: resourceQuotaStatus },
  }),
};
