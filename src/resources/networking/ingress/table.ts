import type {
  IPAddress,
  Ingress,
  IngressClass,
  IngressRule,
  NetworkPolicy,
  ServiceCIDR,
} from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { getOwn } from '../../../api/json.ts';
import { formatGroupResource } from '../../../api/group-version.ts';
import { loadBalancerAddresses, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { selectorText } from '../../parts/tables/selector-text.ts';
import { age } from '../../parts/tables/time-text.ts';

const shownHosts = 3;

export const ingresses = defineTable<Ingress>({
  columns: [
    nameColumn,
    textColumn('Class', 'Ingress class that serves it.'),
    textColumn('Hosts', 'Hosts that its rules are for, the first few of them.'),
    textColumn('Address', 'Addresses of the load balancer.'),
    textColumn('Ports', 'Ports that are open.'),
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

/** Rules without a host are not shown, but count among "more". */
function hostsText(rules: readonly IngressRule[] = []): string {
  const withHost = rules.filter(({ host }) => host);
  const shown = withHost.slice(0, shownHosts);
  if (shown.length === 0) return '*';
  const text = shown.map(({ host }) => host).join(',');
  const lastShown = shown.at(-1);
  const isMore = shown.length === shownHosts && rules.at(-1) !== lastShown;
  return isMore ? `${text} + ${rules.length - shownHosts} more...` : text;
}

export const ingressClasses = defineTable<IngressClass>({
  columns: [
    nameColumn,
    textColumn('Controller', 'Controller that serves its ingresses.'),
    textColumn('Parameters', 'Object with further settings for the controller.'),
    ageColumn,
  ],
  cells(ingressClass, context) {
    const { metadata, spec = {} } = ingressClass;
    const isDefault = getOwn(metadata?.annotations, 'ingressclass.kubernetes.io/is-default-class') === 'true';
    return [
      `${nameOf(ingressClass)}${isDefault ? ' (default)' : ''}`,
      spec.controller ?? '',
      parametersText(ingressClass),
      age(ingressClass, context),
    ];
  },
});

function parametersText({ spec }: Readonly<IngressClass>): string {
  if (spec?.parameters === undefined) return '<none>';
  const { kind = '', apiGroup, name = '' } = spec.parameters;
  return `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name}`;
}

export const networkPolicies = defineTable<NetworkPolicy>({
  columns: [nameColumn, textColumn('Pod-Selector', 'Labels of the pods that it is for.'), ageColumn],
  cells: (policy, context) => [nameOf(policy), selectorText(policy.spec?.podSelector), age(policy, context)],
});

export const serviceCidrs = defineTable<ServiceCIDR>({
  columns: [nameColumn, textColumn('CIDRs', 'Ranges that service addresses come from.'), ageColumn],
  cells: (cidr, context) => [nameOf(cidr), cidr.spec?.cidrs?.join(',') ?? '', age(cidr, context)],
});

export const ipAddresses = defineTable<IPAddress>({
  columns: [nameColumn, textColumn('ParentRef', 'Object that uses the address.')],
  // The age has no column: the reference sends this third cell all the same.
  cells: (address, context) => [nameOf(address), parentText(address), age(address, context)],
});

function parentText({ spec }: Readonly<IPAddress>): string {
  if (spec?.parentRef === undefined) return '<none>';
  const { group = '', resource = '', namespace = '', name = '' } = spec.parentRef;
  const kind = formatGroupResource({ group, resource }).toLowerCase();
  return [kind, ...(namespace === '' ? [] : [namespace]), name].join('/');
}
