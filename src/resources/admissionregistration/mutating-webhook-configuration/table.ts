import type { MutatingWebhookConfiguration } from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { defineTable } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';
import { webhookColumns } from '../table-parts.ts';

export const mutatingWebhookConfigurations = defineTable<MutatingWebhookConfiguration>({
  columns: webhookColumns,
  cells: (object, context) => [nameOf(object), object.webhooks?.length ?? 0, age(object, context)],
});
