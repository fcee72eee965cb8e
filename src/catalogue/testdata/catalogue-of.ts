import type { KindBehaviour } from '../../registry/kinds/kind-behaviour.ts';
import type { Resource } from '../../schema/resource.ts';
import { builtInKinds, type BuiltInKindsOptions } from '../built-in-kinds.ts';
import { Catalogue } from '../catalogue.ts';

/** A kind without behaviour. */
export const plainBehaviour: KindBehaviour = {
  strategyOf: () => ({}),
  converter: { waits: false, convert: (objects) => objects },
  defaulters: {},
  responses: {},
  tableOf: () => Promise.reject(new Error('it has no Table')),
};

/** The kinds of the release, with these resources served. */
export function catalogueOf(
  served: readonly Resource[],
  behaviourOf: BuiltInKindsOptions['behaviourOf'] = () => plainBehaviour,
): Catalogue {
  return Catalogue.empty.with({
    add: builtInKinds({
      served,
      behaviourOf,
      eventTtlSeconds: 3600,
      pagesAnyVersion: () => false,
      release: '1.37',
    }),
  });
}
