import type { KubernetesObject } from '../api/object.ts';
import type { Strategy } from '../registry/strategy.ts';

/** A strategy written for the type of its kind. Objects of a kind are decoded by its schema, so they are of that type. */
export function strategyOf<T>(strategy: Strategy<KubernetesObject & T>): Strategy {
  return strategy as unknown as Strategy;
}
