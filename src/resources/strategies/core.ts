import { nameRules } from '../../api/names.ts';
import type { Strategy } from '../../registry/strategy.ts';
import type * as core from '../../schema/kubernetes/generated/types/core-v1.ts';
import { formatSeconds } from '../../registry/metadata.ts';
import { namespaceStrategy } from './namespaces.ts';
import { podStrategy } from './pods.ts';
import { strategyOf } from './strategy-row.ts';

/** Strategies of the core group, by kind. */
export const coreStrategies: { readonly [kind: string]: Strategy } = {
  Endpoints: { allowCreateOnUpdate: true },
  Event: strategyOf<core.Event>({
    allowCreateOnUpdate: true,
    garbageCollection: 'unsupported',
    selectableFields: {
      'involvedObject.kind': ({ involvedObject }) => involvedObject?.kind ?? '',
      'involvedObject.namespace': ({ involvedObject }) => involvedObject?.namespace ?? '',
      'involvedObject.name': ({ involvedObject }) => involvedObject?.name ?? '',
      'involvedObject.uid': ({ involvedObject }) => involvedObject?.uid ?? '',
      'involvedObject.apiVersion': ({ involvedObject }) => involvedObject?.apiVersion ?? '',
      'involvedObject.resourceVersion': ({ involvedObject }) => involvedObject?.resourceVersion ?? '',
      'involvedObject.fieldPath': ({ involvedObject }) => involvedObject?.fieldPath ?? '',
      reason: ({ reason }) => reason ?? '',
      reportingComponent: ({ reportingComponent }) => reportingComponent ?? '',
      source: ({ source, reportingComponent }) => source?.component ?? reportingComponent ?? '',
      type: ({ type }) => type ?? '',
    },
  }),
  LimitRange: { allowCreateOnUpdate: true },
  // Namespaces know more of themselves than other kinds see.
  Namespace: strategyOf(namespaceStrategy),
  Node: strategyOf<core.Node>({
    keepsStatusOnCreate: true,
    selectableMetadata: 'name',
    selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false) },
  }),
  PersistentVolume: strategyOf<core.PersistentVolume>({
    returnsDeletedObject: true,
    prepareForCreate(volume, { nowMs }) {
      volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatSeconds(nowMs) };
    },
    subresources: {
      status: {
        prepareForUpdate(volume, old, { nowMs }) {
          if (volume.status?.phase === old.status?.phase) return;
          const given = volume.status?.lastPhaseTransitionTime;
          if (given !== undefined && given !== old.status?.lastPhaseTransitionTime) return;
          volume.status = { ...volume.status, lastPhaseTransitionTime: formatSeconds(nowMs) };
        },
      },
    },
  }),
  PersistentVolumeClaim: strategyOf<core.PersistentVolumeClaim>({
    returnsDeletedObject: true,
    prepareForCreate(claim) {
      claim.status = { phase: 'Pending' };
    },
  }),
  Pod: podStrategy,
  PodTemplate: { generation: 'spec', returnsDeletedObject: true },
  ReplicationController: strategyOf<core.ReplicationController>({
    generation: 'spec',
    garbageCollection: 'orphan',
    selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
    scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', selector: '.spec.selector' },
  }),
  ResourceQuota: { returnsDeletedObject: true },
  Secret: strategyOf<core.Secret>({
    selectableFields: { type: ({ type }) => type ?? '' },
    prepareForCreate: mergeStringData,
    prepareForUpdate: mergeStringData,
  }),
  Service: strategyOf<core.Service>({
    // The gate RelaxedServiceNameValidation is on by default.
    nameRule: nameRules.dnsLabel,
    allowCreateOnUpdate: true,
    returnsDeletedObject: true,
    selectableFields: {
      'spec.clusterIP': ({ spec }) => spec?.clusterIP ?? '',
      'spec.type': ({ spec }) => spec?.type ?? '',
    },
  }),
  ServiceAccount: { returnsDeletedObject: true },
};

/** `stringData` is written for people; what is kept is `data`. */
function mergeStringData(secret: core.Secret): void {
  if (secret.stringData === undefined) return;
  const encoded = Object.entries(secret.stringData).map(
    ([key, text]) => [key, Buffer.from(text).toString('base64')] as const,
  );
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}
