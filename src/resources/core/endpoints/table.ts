import { joinHostPort } from '../../../api/text/host-port.ts';
import type { Endpoints } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { listWithMore, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

const shownEndpoints = 3;

export const endpoints = defineTable<Endpoints>({
  columns: [nameColumn, textColumn('Endpoints', 'First few ready addresses and ports.'), ageColumn],
  cells: (object, context) => [nameOf(object), endpointsText(object), age(object, context)],
});

function endpointsText({ subsets = [] }: Readonly<Endpoints>): string {
  if (subsets.length === 0) return '<none>';
  const list = subsets.flatMap(({ addresses = [], ports = [] }) => {
    const ips = addresses.map(({ ip = '' }) => ip);
    return ports.length === 0
      ? ips
      : ports.flatMap(({ port = 0 }) => ips.map((ip) => joinHostPort({ host: ip, port })));
  });
  return list.length === 0 ? '' : listWithMore(list, shownEndpoints);
}
