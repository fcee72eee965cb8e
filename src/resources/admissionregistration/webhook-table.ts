import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { nameOf } from '../parts/tables/cell-text.ts';
import { ageColumn, defineTable, integerColumn, nameColumn } from '../parts/tables/define-table.ts';
import { age } from '../parts/tables/time-text.ts';

export const webhookConfigurations = defineTable<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>({
  columns: [nameColumn, integerColumn('Webhooks', 'Number of webhooks in the configuration.'), ageColumn],
  cells: (object, context) => [nameOf(object), object.webhooks?.length ?? 0, age(object, context)],
});
