import type { Event as CoreEvent } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineTable } from '../../parts/tables/define-table.ts';
import { columns, eventCells } from './table-parts.ts';

export const coreEvents = defineTable<CoreEvent>({ columns, cells: eventCells });
