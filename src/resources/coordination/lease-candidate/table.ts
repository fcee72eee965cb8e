import type { LeaseCandidate } from '../../../schema/kubernetes/generated/types/coordination-v1beta1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const leaseCandidates = defineTable<LeaseCandidate>({
  columns: [
    nameColumn,
    textColumn('LeaseName', 'Lease that the candidate competes for.'),
    textColumn('BinaryVersion', 'Version of the candidate.'),
    textColumn('EmulationVersion', 'Emulation version of the candidate.'),
    ageColumn,
  ],
  cells: (candidate, context) => [
    nameOf(candidate),
    candidate.spec?.leaseName ?? '',
    candidate.spec?.binaryVersion ?? '',
    candidate.spec?.emulationVersion ?? '',
    age(candidate, context),
  ],
});
