import { decodedAs } from './decoded-as.ts';
import type { Strategy, UpdateStrategy } from '../registry/kinds/strategy.ts';
import type { Warnings } from './parts/warnings/per-item.ts';

/** The warnings of a kind. */
export interface KindWarnings<T> {
  readonly create?: (object: T) => Warnings;
  readonly update?: (object: T, old: T) => Warnings;
  /** Updates through subresources, by name. */
  readonly subresources?: { readonly [name: string]: (object: T) => Warnings };
}

/** Warns of creates and updates alike. */
export function always<T>(warn: (object: T) => Warnings): KindWarnings<T> {
  return { create: (object) => warn(object), update: (object) => warn(object) };
}

/** The warning members of a strategy. */
export function strategyOfWarnings<T>({ create, update, subresources }: KindWarnings<T>): Strategy {
  const updates = Object.entries(subresources ?? {}).map(([name, warn]): [string, UpdateStrategy] => [
    name,
    { updateWarnings: (object) => warn(decodedAs<T>(object)) },
  ]);
  return {
    ...(create && { warnings: (object) => create(decodedAs<T>(object)) }),
    ...(update && { updateWarnings: (object, old) => update(decodedAs<T>(object), decodedAs<T>(old)) }),
    subresources: Object.fromEntries(updates),
  };
}
