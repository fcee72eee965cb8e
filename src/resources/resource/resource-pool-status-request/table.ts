import type { ResourcePoolStatusRequest } from '../../../schema/kubernetes/generated/types/resource-v1alpha3.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { defineTable, integerColumn, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { timeSince } from '../../parts/tables/time-text.ts';

export const resourcePoolStatusRequests = defineTable<ResourcePoolStatusRequest>({
  columns: [
    nameColumn,
    textColumn('Driver', 'Driver of the requested pools.'),
    textColumn('Total', 'Number of devices in the pools.'),
    textColumn('Available', 'Number of available devices.'),
    textColumn('Allocated', 'Number of allocated devices.'),
    textColumn('Unavailable', 'Number of unavailable devices.'),
    textColumn('Errors', 'Number of invalid pools.'),
    integerColumn('Pools', 'Number of matching pools.'),
    textColumn('Status', 'State of the request.'),
    textColumn('Completed', 'Time since the request was completed.'),
  ],
  cells(request, context) {
    const { status = {} } = request;
    const { outcome, completedAt } = requestOutcome(request);
    const poolCount = status.poolCount ?? 0;
    const reported = status.pools?.length ?? 0;
    const isCut = outcome === 'Complete' && poolCount > reported;
    return [
      nameOf(request),
      request.spec?.driver ?? '',
      ...deviceCounts(request, outcome),
      poolCount,
      isCut ? `Complete (${reported}/${poolCount} pools)` : outcome,
      completedAt === undefined ? '<none>' : timeSince(completedAt, context),
    ];
  },
});

interface RequestOutcome {
  readonly outcome: 'Pending' | 'Complete' | 'Failed';
  readonly completedAt?: string | undefined;
}

function requestOutcome({ status }: Readonly<ResourcePoolStatusRequest>): RequestOutcome {
  const final = status?.conditions?.find(
    (condition) => condition.status === 'True' && (condition.type === 'Complete' || condition.type === 'Failed'),
  );
  if (final === undefined) return { outcome: 'Pending' };
  return final.type === 'Failed'
    ? { outcome: 'Failed' }
    : { outcome: 'Complete', completedAt: final.lastTransitionTime };
}

const countedFields = ['totalDevices', 'availableDevices', 'allocatedDevices', 'unavailableDevices'] as const;

/** Sums over the pools, and the number of pools with an error; dashes without data. */
function deviceCounts({ status }: Readonly<ResourcePoolStatusRequest>, outcome: string): string[] {
  if (status === undefined || outcome === 'Failed') return ['-', '-', '-', '-', '-'];
  const pools = status.pools ?? [];
  const sums = countedFields.map((field) => pools.reduce((sum, pool) => sum + (pool[field] ?? 0), 0));
  const errors = pools.filter(({ validationError }) => validationError !== undefined).length;
  return [...sums, errors].map(String);
}
