import { addQuantities, compareQuantities, formatQuantity, parseQuantity } from '../../../api/values/quantity.ts';
import type { Container, Pod, PodSpec } from '../../../schema/kubernetes/generated/types/core-v1.ts';

/** Quantities by resource, as written. */
export type Amounts = ReadonlyMap<string, string>;

export type AmountList = 'requests' | 'limits';

const podLevelResources: readonly string[] = ['cpu', 'memory'];

const noAmounts: Amounts = new Map();

/** A resource list as it stands in an object. */
export function amountsOf(list: { readonly [resource: string]: string } | undefined): Amounts {
  if (list === undefined) return noAmounts;
  const amounts = new Map<string, string>();
  for (const resource of Object.keys(list)) amounts.set(resource, list[resource] ?? '');
  return amounts;
}

/** Requests or limits of a whole pod. Pod-level CPU and memory override the sum of its containers. */
export function podAmounts({ spec = {} }: Pod, list: AmountList): Amounts {
  const together = containerAmounts(spec, ({ resources }) => amountsOf(resources?.[list]));
  const ofPod = [...amountsOf(spec.resources?.[list])].filter(([resource]) => podLevelResources.includes(resource));
  return new Map([...together, ...ofPod]);
}

/**
 * Sums the containers of a pod. Containers run in parallel, init containers one after another before them; a
 * restartable init container keeps running beside all later ones.
 */
export function containerAmounts(spec: PodSpec, ofContainer: (container: Container) => Amounts): Amounts {
  const { containers = [], initContainers = [] } = spec;
  const [only] = containers;
  if (only !== undefined && containers.length === 1 && initContainers.length === 0) return ofContainer(only);
  const together = new Map<string, string>();
  for (const container of containers) merge(together, ofContainer(container), sum);
  const restartable = new Map<string, string>();
  const largest = new Map<string, string>();
  for (const container of initContainers) {
    const own = ofContainer(container);
    // Earlier restartable init containers are already in the sum.
    const needed = new Map(own);
    for (const [resource, amount] of own) needed.set(resource, sum(restartable.get(resource), amount));
    if (container.restartPolicy === 'Always') {
      merge(together, own, sum);
      merge(restartable, own, sum);
    }
    merge(largest, needed, maximum);
  }
  merge(together, largest, maximum);
  return together;
}

/** The sum of both. */
export function sumAmounts(a: Amounts, b: Amounts): Amounts {
  if (b.size === 0) return a;
  const sums = new Map(a);
  merge(sums, b, sum);
  return sums;
}

/** The larger of each. */
export function largestAmounts(...lists: readonly Amounts[]): Amounts {
  const largest = new Map<string, string>();
  for (const amounts of lists) merge(largest, amounts, maximum);
  return largest;
}

type Operation = (one: string | undefined, other: string) => string;

const sum: Operation = (one, other) =>
  one === undefined ? other : formatQuantity(addQuantities(parseQuantity(one), parseQuantity(other)));

const maximum: Operation = (one, other) =>
  one === undefined || compareQuantities(parseQuantity(other), parseQuantity(one)) > 0 ? other : one;

function merge(into: Map<string, string>, amounts: Amounts, operation: Operation): void {
  for (const [resource, amount] of amounts) into.set(resource, operation(into.get(resource), amount));
}
