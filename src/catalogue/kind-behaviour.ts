import type { KindDefinition } from '../registry/kinds/kind-definition.ts';
import type { KindBehaviour } from './kind-entry.ts';

/** What an entry needs from the definition of its kind. */
export function behaviourOf({ strategy, converter, defaulters, responses, table }: KindDefinition): KindBehaviour {
  return { strategyOf: () => strategy, converter, defaulters, responses, tableOf: table };
}
