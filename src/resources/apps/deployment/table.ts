import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { parseApiVersion } from '../../../api/group-version.ts';
import { containerCells, nameOf } from '../../parts/tables/cell-text.ts';
import {
  ageColumn,
  defineTable,
  integerColumn,
  nameColumn,
  textColumn,
  wide,
} from '../../parts/tables/define-table.ts';
import { labelsText, selectorQuery, selectorText } from '../../parts/tables/selector-text.ts';
import { age } from '../../parts/tables/time-text.ts';

const containerColumns = [
  wide(textColumn('Containers', 'Names of the containers.')),
  wide(textColumn('Images', 'Images of the containers.')),
];
const selectorColumn = wide(textColumn('Selector', 'Labels of the pods that it counts.'));

export const deployments = defineTable<Deployment>({
  columns: [
    nameColumn,
    textColumn('Ready', 'Pods that are ready, of those asked for.'),
    textColumn('Up-to-date', 'Number of pods made from the present template.'),
    textColumn('Available', 'Number of pods that have been ready long enough.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(deployment, context) {
    const { spec, status } = deployment;
    const { names, images } = containerCells(spec?.template?.spec?.containers);
    return [
      nameOf(deployment),
      `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      age(deployment, context),
      names,
      images,
      selectorQuery(spec?.selector) ?? '<invalid>',
    ];
  },
});

export const replicaSets = defineTable<ReplicaSet>({
  columns: [
    nameColumn,
    integerColumn('Desired', 'Number of pods asked for.'),
    integerColumn('Current', 'Number of pods that exist.'),
    integerColumn('Ready', 'Number of pods that are ready.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(replicaSet, context) {
    const { spec, status } = replicaSet;
    const { names, images } = containerCells(spec?.template?.spec?.containers);
    return [
      nameOf(replicaSet),
      spec?.replicas ?? 0,
      status?.replicas ?? 0,
      status?.readyReplicas ?? 0,
      age(replicaSet, context),
      names,
      images,
      selectorText(spec?.selector),
    ];
  },
});

export const statefulSets = defineTable<StatefulSet>({
  columns: [
    nameColumn,
    textColumn('Ready', 'Pods that are ready, of those asked for.'),
    ageColumn,
    ...containerColumns,
  ],
  cells(statefulSet, context) {
    const { spec, status } = statefulSet;
    const { names, images } = containerCells(spec?.template?.spec?.containers);
    const ready = `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;
    return [nameOf(statefulSet), ready, age(statefulSet, context), names, images];
  },
});

export const daemonSets = defineTable<DaemonSet>({
  columns: [
    nameColumn,
    integerColumn('Desired', 'Number of nodes that should run the pod.'),
    integerColumn('Current', 'Number of those nodes that do.'),
    integerColumn('Ready', 'Number of nodes whose pod is ready.'),
    integerColumn('Up-to-date', 'Number of nodes whose pod is made from the present template.'),
    integerColumn('Available', 'Number of nodes whose pod has been ready long enough.'),
    textColumn('Node Selector', 'Labels of the nodes that it is for.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(daemonSet, context) {
    const { spec, status = {} } = daemonSet;
    const { names, images } = containerCells(spec?.template?.spec?.containers);
    return [
      nameOf(daemonSet),
      status.desiredNumberScheduled ?? 0,
      status.currentNumberScheduled ?? 0,
      status.numberReady ?? 0,
      status.updatedNumberScheduled ?? 0,
      status.numberAvailable ?? 0,
      labelsText(spec?.template?.spec?.nodeSelector),
      age(daemonSet, context),
      names,
      images,
      selectorText(spec?.selector),
    ];
  },
});

export const controllerRevisions = defineTable<ControllerRevision>({
  columns: [
    nameColumn,
    textColumn('Controller', 'Kind and name of the object whose state it keeps.'),
    textColumn('Revision', 'Number of the revision.'),
    ageColumn,
  ],
  cells: (revision, context) => [
    nameOf(revision),
    controllerText(revision),
    revision.revision ?? 0,
    age(revision, context),
  ],
});

function controllerText({ metadata }: Readonly<ControllerRevision>): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (owner === undefined) return '<none>';
  const group = parseApiVersion(owner.apiVersion ?? '')?.group ?? '';
  const kind = group === '' ? (owner.kind ?? '') : `${owner.kind ?? ''}.${group}`;
  return `${kind.toLowerCase()}/${owner.name ?? ''}`;
}
