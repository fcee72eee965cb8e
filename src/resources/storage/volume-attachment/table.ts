import type { VolumeAttachment } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, booleanColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const volumeAttachments = defineTable<VolumeAttachment>({
  columns: [
    nameColumn,
    { ...textColumn('Attacher', 'Driver that attaches the volume.'), format: 'name' },
    textColumn('PV', 'Volume to attach.'),
    textColumn('Node', 'Node to attach the volume to.'),
    booleanColumn('Attached', 'Whether the volume is attached.'),
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
