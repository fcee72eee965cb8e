import { compareQuantities, parseQuantity } from '../../api/values/quantity.ts';
import type { PodSpec, ResourceRequirements } from './generated/types/core-v1.ts';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const zero = parseQuantity('0');
const countedResources: readonly string[] = ['cpu', 'memory'];

/** The QoS class of a pod: its containers' class if they all have the same, else Burstable. */
export function qosClassOf({ initContainers = [], containers = [], resources }: PodSpec): QosClass {
  if (resources?.limits !== undefined || resources?.requests !== undefined) return qosOf(resources);
  let only: QosClass | undefined;
  for (const list of [initContainers, containers]) {
    for (const container of list) {
      const found = container.resources === undefined ? 'BestEffort' : qosOf(container.resources);
      if (only !== undefined && found !== only) return 'Burstable';
      only = found;
    }
  }
  return only ?? 'BestEffort';
}

function qosOf({ limits = {}, requests = {} }: ResourceRequirements): QosClass {
  const limited = positive(limits);
  const requested = positive(requests);
  if (limited.size === 0 && requested.size === 0) return 'BestEffort';
  const guaranteed =
    limited.size === countedResources.length &&
    [...requested].every(([name, amount]) => {
      const limit = limited.get(name);
      return limit !== undefined && compareQuantities(parseQuantity(limit), parseQuantity(amount)) === 0;
    });
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function positive(amounts: { readonly [name: string]: string }): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of countedResources) {
    const amount = amounts[name];
    if (amount !== undefined && compareQuantities(parseQuantity(amount), zero) > 0) found.set(name, amount);
  }
  return found;
}
