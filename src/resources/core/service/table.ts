import type { Service, ServicePort } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { loadBalancerAddresses, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn, wide } from '../../parts/tables/define-table.ts';
import { labelsText } from '../../parts/tables/selector-text.ts';
import { age } from '../../parts/tables/time-text.ts';

export const services = defineTable<Service>({
  columns: [
    nameColumn,
    textColumn('Type', 'How the service is exposed.'),
    textColumn('Cluster-IP', 'First cluster IP; None for a headless service.'),
    textColumn('External-IP', 'External addresses or name.'),
    textColumn('Port(s)', 'Ports, with the port on each node where there is one.'),
    ageColumn,
    wide(textColumn('Selector', 'Labels of the pods that receive its traffic.')),
  ],
  cells: (service, context) => [
    nameOf(service),
    service.spec?.type ?? '',
    service.spec?.clusterIPs?.[0] ?? '<none>',
    externalAddresses(service),
    service.spec?.ports?.map(portText).join(',') || '<none>',
    age(service, context),
    labelsText(service.spec?.selector),
  ],
});

function externalAddresses({ spec = {}, status }: Readonly<Service>): string {
  const external = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.length === 0 ? '<none>' : external.join(',');
    case 'LoadBalancer': {
      const balancer = loadBalancerAddresses(status?.loadBalancer?.ingress);
      return (balancer === '' ? external : [balancer, ...external]).join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function portText({ port = 0, nodePort = 0, protocol = '' }: ServicePort): string {
  return nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}
