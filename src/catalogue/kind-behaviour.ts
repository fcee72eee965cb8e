import type { KindDefinition } from '../registry/kind-definition.ts';
import type { KindBehaviour } from './kind-entry.ts';

/** What the entry of a kind asks of its definition. */
export function behaviourOf({ strategy, converter, defaulters, answers, table }: KindDefinition): KindBehaviour {
  return { strategyOf: () => strategy, converter, defaulters, answers, tableOf: table };
}
