import { parseApiVersion } from '../../../api/meta/group-version.ts';
import type { ControllerRevision } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const controllerRevisions = defineTable<ControllerRevision>({
  columns: [
    nameColumn,
    textColumn('Controller', 'Kind and name of the object that owns the revision.'),
    textColumn('Revision', 'Revision number.'),
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
