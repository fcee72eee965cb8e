import { nameRules } from '../../api/names.ts';
import { formatSeconds } from '../../registry/metadata.ts';
import type { Strategy, WriteContext } from '../../registry/strategy.ts';
import type * as core from '../../schema/kubernetes/generated/types/core-v1.ts';
import { namespaceStrategy } from './namespaces.ts';
import { podStrategy } from './pods.ts';
import { strategyOf } from './strategy-row.ts';

/** Strategies of the core group, by kind. */
export const coreStrategies: { readonly [kind: string]: Strategy } = {
  Endpoints: { allowCreateOnUpdate: true },
  Event: strategyOf<core.Event>({
    nameRule: nameRules.pathSegment,
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
    prepareForCreate(node) {
      linkPodRanges(node.spec ?? {});
      dropConfigSource(node);
      delete node.status?.config;
    },
    prepareForUpdate(node, old) {
      linkPodRanges(node.spec ?? {});
      dropConfigSource(node, old);
    },
    selectableMetadata: 'name',
    selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false) },
  }),
  PersistentVolume: strategyOf<core.PersistentVolume>({
    returnsDeletedObject: true,
    prepareForCreate(volume, { nowMs }) {
      volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatSeconds(nowMs) };
    },
    subresources: { status: { prepareForUpdate: notePhaseTransition } },
  }),
  PersistentVolumeClaim: strategyOf<core.PersistentVolumeClaim>({
    returnsDeletedObject: true,
    complete: ({ spec = {} }) => linkDataSources(spec),
    prepareForCreate(claim) {
      claim.status = { phase: 'Pending' };
      dropOtherDataSource(claim.spec ?? {});
      linkDataSources(claim.spec ?? {});
    },
    prepareForUpdate({ spec = {} }, old) {
      if (old.spec?.dataSource === undefined && old.spec?.dataSourceRef === undefined) dropOtherDataSource(spec);
      linkDataSources(spec);
    },
  }),
  Pod: podStrategy,
  PodTemplate: { generation: 'spec', returnsDeletedObject: true },
  ReplicationController: strategyOf<core.ReplicationController>({
    // Its own validation tells of the name, after all else.
    nameRule: () => [],
    generation: 'spec',
    garbageCollection: 'orphan',
    selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
    scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', selector: '.spec.selector' },
  }),
  ResourceQuota: { returnsDeletedObject: true },
  Secret: strategyOf<core.Secret>({
    selectableFields: { type: ({ type }) => type ?? '' },
    normalize: mergeStringData,
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
  ServiceAccount: strategyOf<core.ServiceAccount>({
    returnsDeletedObject: true,
    prepareForCreate: nameSecretsOnly,
    prepareForUpdate: nameSecretsOnly,
  }),
};

/** A node has its ranges twice: clients know one or several. Where they differ the one counts. */
function linkPodRanges(spec: core.NodeSpec): void {
  const { podCIDR = '', podCIDRs = [] } = spec;
  if (podCIDR !== '' && podCIDR !== podCIDRs[0]) spec.podCIDRs = [podCIDR];
  else if (podCIDRs[0] !== undefined) spec.podCIDR = podCIDRs[0];
}

/** Kubelets are no longer configured through their nodes; what stands there may stay. */
function dropConfigSource({ spec }: core.Node, old?: Readonly<core.Node>): void {
  if (old?.spec?.configSource === undefined) delete spec?.configSource;
}

/** Of the secrets of a service account nothing is kept but their names. */
function nameSecretsOnly(account: core.ServiceAccount): void {
  const { secrets } = account;
  if (secrets !== undefined) account.secrets = secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

/** The old field for data sources knows claims and snapshots; what else it names is not taken. */
function dropOtherDataSource(spec: core.PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource === undefined || dataSourceRef !== undefined) return;
  const { kind = '', apiGroup = '' } = dataSource;
  const known = ['/PersistentVolumeClaim', 'snapshot.storage.k8s.io/VolumeSnapshot'];
  if (!known.includes(`${apiGroup}/${kind}`)) delete spec.dataSource;
}

/** A claim names what it is filled from twice: clients know the one field or the other. */
function linkDataSources(spec: core.PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) spec.dataSourceRef = { ...dataSource };
  else if (dataSource === undefined && dataSourceRef !== undefined && (dataSourceRef.namespace ?? '') === '') {
    const { namespace: _, ...local } = dataSourceRef;
    spec.dataSource = local;
  }
}

function notePhaseTransition(
  volume: core.PersistentVolume,
  old: Readonly<core.PersistentVolume>,
  { nowMs }: WriteContext,
): void {
  const before = old.status?.lastPhaseTransitionTime;
  const status = (volume.status ??= {});
  if (status.phase !== old.status?.phase) {
    if ((status.lastPhaseTransitionTime ?? before) === before) status.lastPhaseTransitionTime = formatSeconds(nowMs);
  } else if (before !== undefined) status.lastPhaseTransitionTime ??= before;
}

/** `stringData` is written for people; what is kept is `data`. */
function mergeStringData(secret: core.Secret): void {
  if (secret.stringData === undefined) return;
  const encoded = Object.entries(secret.stringData).map(
    ([key, text]) => [key, Buffer.from(text).toString('base64')] as const,
  );
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}
