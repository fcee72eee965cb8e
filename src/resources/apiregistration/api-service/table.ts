import type { APIService } from '../../../schema/kubernetes/generated/types/apiregistration-v1.ts';
import { findCondition, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const apiServices = defineTable<APIService>({
  columns: [
    nameColumn,
    textColumn('Service', 'Service that serves the group version; Local for this server.'),
    textColumn('Available', 'Whether the server is available.'),
    ageColumn,
  ],
  cells(apiService, context) {
    const service = apiService.spec?.service;
    return [
      nameOf(apiService),
      service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`,
      availability(apiService),
      age(apiService, context),
    ];
  },
});

function availability(apiService: Readonly<APIService>): string {
  const { status = 'Unknown', reason } = findCondition(apiService.status?.conditions, 'Available') ?? {};
  return status === 'True' || !reason ? status : `${status} (${reason})`;
}
