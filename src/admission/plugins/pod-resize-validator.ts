import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { compareQuantities, parseQuantity, quantityMilliValue, quantityValue } from '../../api/values/quantity.ts';
import { StatusError } from '../../api/errors/status.ts';
import type { Node, Pod } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { PluginContext } from '../plugin-context.ts';
import { amountsOf, podAmounts, sumAmounts } from './parts/pod-amounts.ts';
import { refusal } from '../refusal.ts';

const nodes = { group: '', version: 'v1', plural: 'nodes' };

/** Rejects resizes beyond the capacity of the pod's node. */
export function podResizeValidator({ stored }: Pick<PluginContext, 'stored'>): AdmissionPlugin {
  return {
    name: 'PodResizeValidator',
    operations: new Set(['UPDATE']),
    async validate(attributes) {
      const { group, resource, subresource, object, oldObject } = attributes;
      if (group !== '' || resource !== 'pods' || subresource !== 'resize' || object === undefined) return;
      // Objects are decoded by the schema of their resource.
      const pod = object as Pod;
      const { nodeName: name = '' } = pod.spec ?? {};
      if (name === '' || object.metadata.generation === oldObject?.metadata.generation) return;
      const node = await stored.get(nodes, { namespace: '', name });
      if (node === undefined) throw refusal(attributes, `node ${goQuote(name)} not found`);
      const objection = objectionOf(pod, node as typeof node & Node); // decoded by the schema of nodes
      if (objection === undefined) return;
      const { status } = refusal(attributes, objection.why);
      const causes = [{ reason: objection.reason }];
      throw new StatusError({ ...status, details: { ...status.details, causes } });
    },
  };
}

function objectionOf(pod: Pod, node: Node): { readonly why: string; readonly reason: string } | undefined {
  const system = node.metadata?.labels?.['kubernetes.io/os'] ?? 'linux';
  if (system !== 'linux') {
    const name = goQuote(node.metadata?.name ?? '');
    const why = `pod resize is only supported on linux nodes, node ${name} is ${goQuote(system)}`;
    return { why, reason: 'UnsupportedPlatform' };
  }
  const excess = excessOf(pod, node);
  if (excess.length === 0) return undefined;
  const why = `node didn't have enough allocatable resources: ${excess.join('; ')}`;
  return { why, reason: 'NodeCapacity' };
}

function excessOf(pod: Pod, { status }: Node): string[] {
  const requests = sumAmounts(podAmounts(pod, 'requests'), amountsOf(pod.spec?.overhead));
  return (['cpu', 'memory'] as const).flatMap((resource) => {
    const requested = parseQuantity(requests.get(resource) ?? '0');
    const allocatable = parseQuantity(status?.allocatable?.[resource] ?? '0');
    if (compareQuantities(requested, allocatable) <= 0) return [];
    const count = resource === 'cpu' ? quantityMilliValue : quantityValue;
    return [`${resource}, requested: ${count(requested)}, allocatable: ${count(allocatable)}`];
  });
}
