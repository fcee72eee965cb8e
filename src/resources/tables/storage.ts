import { getOwn, type JsonValue } from '../../api/json.ts';
import type {
  CSIDriver,
  CSINode,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '../../schema/kubernetes/generated/types/storage-v1.ts';
import type { TableContext, TableList } from '../../registry/table.ts';
import { byBytes, nameOf } from './cell-text.ts';
import { ageColumn, booleanColumn, defineTable, integerColumn, nameColumn, textColumn } from './define-table.ts';
import { age, createdAt } from './time-text.ts';

export const storageClasses = defineTable<StorageClass>({
  columns: [
    nameColumn,
    textColumn('Provisioner', 'What makes its volumes.'),
    textColumn('ReclaimPolicy', 'What happens to a volume when its claim is gone.'),
    textColumn('VolumeBindingMode', 'When volumes are made and bound.'),
    textColumn('AllowVolumeExpansion', 'Whether volumes can grow.'),
    ageColumn,
  ],
  cells: (storageClass, context) => storageClassCells(storageClass, nameOf(storageClass), context),
  list: markDefaultClass,
});

function storageClassCells(storageClass: Readonly<StorageClass>, name: string, context: TableContext): JsonValue[] {
  return [
    name,
    storageClass.provisioner ?? '',
    storageClass.reclaimPolicy ?? 'Delete',
    storageClass.volumeBindingMode ?? 'Immediate',
    storageClass.allowVolumeExpansion ?? false,
    age(storageClass, context),
  ];
}

const defaultClassAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Only a list can tell which class is the default: of several that claim it the newest, then the first by name. */
function markDefaultClass(objects: readonly Readonly<StorageClass>[]): TableList<StorageClass> {
  const [effective] = objects
    .filter(({ metadata }) => defaultClassAnnotations.some((key) => getOwn(metadata?.annotations, key) === 'true'))
    .toSorted((a, b) => byBytes(createdAt(b), createdAt(a)) || byBytes(nameOf(a), nameOf(b)));
  return {
    objects,
    cells(storageClass, context) {
      const mark = storageClass === effective ? ' (default)' : '';
      return storageClassCells(storageClass, `${nameOf(storageClass)}${mark}`, context);
    },
  };
}

export const volumeAttributesClasses = defineTable<VolumeAttributesClass>({
  columns: [nameColumn, textColumn('DriverName', 'CSI driver that it is for.'), ageColumn],
  cells: (object, context) => [nameOf(object), object.driverName ?? '', age(object, context)],
});

export const volumeAttachments = defineTable<VolumeAttachment>({
  columns: [
    nameColumn,
    { ...textColumn('Attacher', 'Driver that attaches the volume.'), format: 'name' },
    textColumn('PV', 'Volume to attach.'),
    textColumn('Node', 'Node to attach it to.'),
    booleanColumn('Attached', 'Whether it is attached.'),
    ageColumn,
  ],
  cells: (attachment, context) => [
    nameOf(attachment),
    attachment.spec?.attacher ?? '',
    attachment.spec?.source?.persistentVolumeName ?? '',
    attachment.spec?.nodeName ?? '',
    attachment.status?.attached ?? false,
    age(attachment, context),
  ],
});

export const csiNodes = defineTable<CSINode>({
  columns: [nameColumn, integerColumn('Drivers', 'Number of CSI drivers on the node.'), ageColumn],
  cells: (node, context) => [nameOf(node), node.spec?.drivers?.length ?? 0, age(node, context)],
});

export const csiDrivers = defineTable<CSIDriver>({
  columns: [
    nameColumn,
    booleanColumn('AttachRequired', 'Whether volumes are attached before they are mounted.'),
    booleanColumn('PodInfoOnMount', 'Whether it is told of the pod when it mounts.'),
    booleanColumn('StorageCapacity', 'Whether pods are placed by the capacity it reports.'),
    textColumn('TokenRequests', 'Audiences of the tokens it gets.'),
    booleanColumn('RequiresRepublish', 'Whether mounts are renewed from time to time.'),
    textColumn('Modes', 'Lifecycles of volumes that it supports.'),
    ageColumn,
  ],
  cells(driver, context) {
    const spec = driver.spec ?? {};
    return [
      nameOf(driver),
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests?.map(({ audience = '' }) => audience).join(',') ?? '<unset>',
      spec.requiresRepublish ?? false,
      spec.volumeLifecycleModes?.join(',') || '<none>',
      age(driver, context),
    ];
  },
});
