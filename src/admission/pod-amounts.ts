import { addQuantities, compareQuantities, formatQuantity, parseQuantity } from '../api/quantity.ts';
import type { Container, Pod } from '../schema/kubernetes/generated/types/core-v1.ts';

/** Quantities by resource, as written. */
export type Amounts = ReadonlyMap<string, string>;

export type AmountList = 'requests' | 'limits';

const podLevelResources: readonly string[] = ['cpu', 'memory'];

/** A resource list as it stands in an object. */
export function amountsOf(list: { readonly [resource: string]: string } | undefined): Amounts {
  return new Map(Object.entries(list ?? {}));
}

/**
 * Requests of a whole pod. Containers run in parallel, init containers one after another before them; a restartable
 * init container keeps running beside all later ones. Pod-level CPU and memory override the sum.
 */
export function podAmounts({ spec = {} }: Pod, list: AmountList): Amounts {
  const ofContainer = ({ resources }: Container): Amounts => amountsOf(resources?.[list]);
  const together = new Map<string, string>();
  for (const container of spec.containers ?? []) merge(together, ofContainer(container), sum);
  const restartable = new Map<string, string>();
  const largest = new Map<string, string>();
  for (const container of spec.initContainers ?? []) {
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
  const ofPod = [...amountsOf(spec.resources?.[list])].filter(([resource]) => podLevelResources.includes(resource));
  return new Map([...together, ...ofPod]);
}

/** The sum of both. */
export function sumAmounts(a: Amounts, b: Amounts): Amounts {
  const sums = new Map(a);
  merge(sums, b, sum);
  return sums;
}

type Operation = (one: string | undefined, other: string) => string;

const sum: Operation = (one, other) =>
  one === undefined ? other : formatQuantity(addQuantities(parseQuantity(one), parseQuantity(other)));

const maximum: Operation = (one, other) =>
  one === undefined || compareQuantities(parseQuantity(other), parseQuantity(one)) > 0 ? other : one;

function merge(into: Map<string, string>, amounts: Amounts, operation: Operation): void {
  for (const [resource, amount] of amounts) into.set(resource, operation(into.get(resource), amount));
}
