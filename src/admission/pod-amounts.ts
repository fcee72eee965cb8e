import { addQuantities, compareQuantities, formatQuantity, parseQuantity } from '../api/quantity.ts';
import type { Container, Pod } from '../schema/kubernetes/generated/types/core-v1.ts';

/** Amounts by resource, as they are written. */
export type Amounts = ReadonlyMap<string, string>;

export type AmountList = 'requests' | 'limits';

const podLevelResources: readonly string[] = ['cpu', 'memory'];

/** A list of amounts as it stands in an object. */
export function amountsOf(list: { readonly [resource: string]: string } | undefined): Amounts {
  return new Map(Object.entries(list ?? {}));
}

/**
 * What a whole pod asks for. Containers run beside one another, init containers one after another before them; an init container
 * that restarts goes on beside all that come later. What the pod itself says of processors and memory counts more than the sum.
 */
export function podAmounts({ spec = {} }: Pod, list: AmountList): Amounts {
  const ofContainer = ({ resources }: Container): Amounts => amountsOf(resources?.[list]);
  let together = (spec.containers ?? []).map(ofContainer).reduce(sumAmounts, new Map());
  let restartable: Amounts = new Map();
  let largest: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = ofContainer(container);
    const withRestartable = sumAmounts(restartable, own);
    if (container.restartPolicy === 'Always') {
      together = sumAmounts(together, own);
      restartable = withRestartable;
    }
    largest = maximum(largest, withRestartable);
  }
  const ofPod = [...amountsOf(spec.resources?.[list])].filter(([resource]) => podLevelResources.includes(resource));
  return new Map([...maximum(together, largest), ...ofPod]);
}

/** Both together. */
export function sumAmounts(a: Amounts, b: Amounts): Amounts {
  return merge(a, b, (one, other) => formatQuantity(addQuantities(parseQuantity(one), parseQuantity(other))));
}

function maximum(a: Amounts, b: Amounts): Amounts {
  return merge(a, b, (one, other) => (compareQuantities(parseQuantity(other), parseQuantity(one)) > 0 ? other : one));
}

function merge(a: Amounts, b: Amounts, both: (one: string, other: string) => string): Amounts {
  const merged = new Map(a);
  for (const [resource, amount] of b) {
    const own = merged.get(resource);
    merged.set(resource, own === undefined ? amount : both(own, amount));
  }
  return merged;
}
