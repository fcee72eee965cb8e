import type { Ingress, IngressRule } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { loadBalancerAddresses, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

const shownHosts = 3;

export const ingresses = defineTable<Ingress>({
  columns: [
    nameColumn,
    textColumn('Class', 'Class of the ingress.'),
    textColumn('Hosts', 'First few hosts of its rules.'),
    textColumn('Address', 'Addresses of the load balancer.'),
    textColumn('Ports', 'Exposed ports.'),
    ageColumn,
  ],
  cells: (ingress, context) => [
    nameOf(ingress),
    ingress.spec?.ingressClassName ?? '<none>',
    hostsText(ingress.spec?.rules),
    loadBalancerAddresses(ingress.status?.loadBalancer?.ingress),
    ingress.spec?.tls?.length ? '80, 443' : '80',
    age(ingress, context),
  ],
});

/** Rules without a host are not shown, but count toward "more". */
function hostsText(rules: readonly IngressRule[] = []): string {
  const withHost = rules.filter(({ host }) => host);
  const shown = withHost.slice(0, shownHosts);
  if (shown.length === 0) return '*';
  const text = shown.map(({ host }) => host).join(',');
  const lastShown = shown.at(-1);
  const isMore = shown.length === shownHosts && rules.at(-1) !== lastShown;
  return isMore ? `${text} + ${rules.length - shownHosts} more...` : text;
}
