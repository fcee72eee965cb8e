import { getOwn, type JsonValue } from '../../../api/json/json.ts';
import type { TableContext, TableList } from '../../../registry/kinds/table.ts';
import type { StorageClass } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { byBytes, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age, createdAt } from '../../parts/tables/time-text.ts';

export const storageClasses = defineTable<StorageClass>({
  columns: [
    nameColumn,
    textColumn('Provisioner', 'Provisioner of its volumes.'),
    textColumn('ReclaimPolicy', 'Reclaim policy of its volumes.'),
    textColumn('VolumeBindingMode', 'When volumes are provisioned and bound.'),
    textColumn('AllowVolumeExpansion', 'Whether volumes can be expanded.'),
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

/** Only a list determines the default class: of several candidates the newest, then the first by name. */
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
