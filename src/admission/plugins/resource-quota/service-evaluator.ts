import type { Service } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { type Evaluator, noScopes } from './evaluator.ts';

const countedNames: ReadonlySet<string> = new Set([
  'count/services',
  'services',
  'services.nodeports',
  'services.loadbalancers',
]);

export const serviceEvaluator: Evaluator = {
  collection: { group: '', version: 'v1', plural: 'services' },
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  counts: (name) => countedNames.has(name),
  usageOf(object) {
    const { spec = {} } = object as Service; // decoded by the schema of services
    const amounts = new Map([
      ['count/services', '1'],
      ['services', '1'],
      ['services.loadbalancers', spec.type === 'LoadBalancer' ? '1' : '0'],
      ['services.nodeports', String(nodePortsOf(spec))],
    ]);
    return { amounts, scopes: noScopes };
  },
};

/** Ports are not allocated yet when a service is made: what counts is the intent. */
function nodePortsOf({ type, ports = [], allocateLoadBalancerNodePorts }: NonNullable<Service['spec']>): number {
  if (type === 'LoadBalancer' && allocateLoadBalancerNodePorts === false) {
    return ports.filter(({ nodePort = 0 }) => nodePort !== 0).length;
  }
  return type === 'NodePort' || type === 'LoadBalancer' ? ports.length : 0;
}
