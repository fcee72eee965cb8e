import type { KindDefinition } from '../registry/kind-definition.ts';
import type { KindBehaviour } from './kind-entry.ts';

/** What the entry of a kind asks of its definition. */
export function behaviourOf({ strategy, defaulters, converter, table }: KindDefinition): KindBehaviour {
  return { strategyOf: () => strategy, defaulters, converter, tableOf: table };
}
