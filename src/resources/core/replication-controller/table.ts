import { getOwn } from '../../../api/json.ts';
import type {
  ComponentStatus,
  ConfigMap,
  Namespace,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  ServiceAccount,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { byBytes, containerCells, findCondition, nameOf } from '../../parts/tables/cell-text.ts';
import {
  ageColumn,
  defineTable,
  integerColumn,
  nameColumn,
  textColumn,
  wide,
} from '../../parts/tables/define-table.ts';
import { labelsText } from '../../parts/tables/selector-text.ts';
import { age } from '../../parts/tables/time-text.ts';

export const namespaces = defineTable<Namespace>({
  columns: [nameColumn, textColumn('Status', 'Phase of the namespace.'), ageColumn],
  cells: (namespace, context) => [nameOf(namespace), namespace.status?.phase ?? '', age(namespace, context)],
});

export const secrets = defineTable<Secret>({
  columns: [
    nameColumn,
    textColumn('Type', 'What the data is for.'),
    textColumn('Data', 'Number of keys in the data.'),
    ageColumn,
  ],
  cells: (secret, context) => [
    nameOf(secret),
    secret.type ?? '',
    Object.keys(secret.data ?? {}).length,
    age(secret, context),
  ],
});

export const configMaps = defineTable<ConfigMap>({
  columns: [nameColumn, textColumn('Data', 'Number of keys in the data, text and binary.'), ageColumn],
  cells: (configMap, context) => [
    nameOf(configMap),
    Object.keys(configMap.data ?? {}).length + Object.keys(configMap.binaryData ?? {}).length,
    age(configMap, context),
  ],
});

export const serviceAccounts = defineTable<ServiceAccount>({
  columns: [nameColumn, ageColumn],
  cells: (account, context) => [nameOf(account), age(account, context)],
});

export const resourceQuotas = defineTable<ResourceQuota>({
  columns: [
    nameColumn,
    textColumn('Request', 'Used and allowed amount of each resource that is counted by request or number.'),
    textColumn('Limit', 'Used and allowed amount of each resource that is counted by limit.'),
    ageColumn,
  ],
  cells(quota, context) {
    const { hard = {}, used = {} } = quota.status ?? {};
    const amounts = (resources: readonly string[]): string =>
      resources
        .map((resource) => `${resource}: ${getOwn(used, resource) ?? '0'}/${getOwn(hard, resource) ?? '0'}`)
        .join(', ');
    const { limits = [], others = [] } = Object.groupBy(Object.keys(hard).toSorted(byBytes), (resource) =>
      resource.startsWith('limits.') ? 'limits' : 'others',
    );
    return [nameOf(quota), amounts(others), amounts(limits), age(quota, context)];
  },
});

export const podTemplates = defineTable<PodTemplate>({
  columns: [
    nameColumn,
    textColumn('Containers', 'Names of the containers.'),
    textColumn('Images', 'Images of the containers.'),
    textColumn('Pod Labels', 'Labels that its pods get.'),
  ],
  cells(object) {
    const { names, images } = containerCells(object.template?.spec?.containers);
    return [nameOf(object), names, images, labelsText(object.template?.metadata?.labels)];
  },
});

export const replicationControllers = defineTable<ReplicationController>({
  columns: [
    nameColumn,
    integerColumn('Desired', 'Number of pods asked for.'),
    integerColumn('Current', 'Number of pods that exist.'),
    integerColumn('Ready', 'Number of pods that are ready.'),
    ageColumn,
    wide(textColumn('Containers', 'Names of the containers.')),
    wide(textColumn('Images', 'Images of the containers.')),
    wide(textColumn('Selector', 'Labels of the pods that it counts.')),
  ],
  cells(controller, context) {
    const { names, images } = containerCells(controller.spec?.template?.spec?.containers);
    return [
      nameOf(controller),
      controller.spec?.replicas ?? 0,
      controller.status?.replicas ?? 0,
      controller.status?.readyReplicas ?? 0,
      age(controller, context),
      names,
      images,
      labelsText(controller.spec?.selector),
    ];
  },
});

export const componentStatuses = defineTable<ComponentStatus>({
  columns: [
    nameColumn,
    textColumn('Status', 'Whether the component is healthy.'),
    textColumn('Message', 'What the component answers.'),
    textColumn('Error', 'Why it could not be asked.'),
  ],
  cells(component) {
    const healthy = findCondition(component.conditions, 'Healthy');
    const status = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [nameOf(component), status, healthy?.message ?? '', healthy?.error ?? ''];
  },
});
