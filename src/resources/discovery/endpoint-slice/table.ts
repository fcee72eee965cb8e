import type { EndpointSlice } from '../../../schema/kubernetes/generated/types/discovery-v1.ts';
import { listWithMore, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

const shown = 3;

export const endpointSlices = defineTable<EndpointSlice>({
  columns: [
    nameColumn,
    textColumn('AddressType', 'Type of its addresses: IPv4, IPv6 or FQDN.'),
    textColumn('Ports', 'First few ports of the endpoints.'),
    textColumn('Endpoints', 'First few addresses.'),
    ageColumn,
  ],
  cells: (slice, context) => [
    nameOf(slice),
    slice.addressType ?? '',
    listWithMore(slice.ports?.map(({ port, name }) => (port === undefined ? (name ?? '*') : `${port}`)) ?? [], shown),
    listWithMore(slice.endpoints?.flatMap(({ addresses = [] }) => addresses) ?? [], shown),
    age(slice, context),
  ],
});
