import type { KubernetesObject } from '../api/object.ts';
import type { Strategy, UpdateStrategy } from '../registry/strategy.ts';
import type { Warnings } from './parts/warnings/per-item.ts';

/** What a kind warns of. */
export interface KindWarnings<T> {
  readonly create?: (object: T) => Warnings;
  readonly update?: (object: T, old: T) => Warnings;
  /** Updates through subresources, by their names. */
  readonly subresources?: { readonly [name: string]: (object: T) => Warnings };
}

/** Of what an object is, whoever wrote it: the same for creations and updates. */
export function always<T>(warn: (object: T) => Warnings): KindWarnings<T> {
  return { create: (object) => warn(object), update: (object) => warn(object) };
}

/** The members of a strategy that warn. */
export function strategyOfWarnings<T>({ create, update, subresources }: KindWarnings<T>): Strategy {
  // Objects of a kind are decoded by its schema, so they are of its type.
  const typed = (object: Readonly<KubernetesObject>): T => object as unknown as T;
  const updates = Object.entries(subresources ?? {}).map(([name, warn]): [string, UpdateStrategy] => [
    name,
    { updateWarnings: (object) => warn(typed(object)) },
  ]);
  return {
    ...(create && { warnings: (object) => create(typed(object)) }),
    ...(update && { updateWarnings: (object, old) => update(typed(object), typed(old)) }),
    subresources: Object.fromEntries(updates),
  };
}
