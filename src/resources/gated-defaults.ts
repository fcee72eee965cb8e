import type { KindDefinition } from '../registry/kinds/kind-definition.ts';
import type { Defaulters } from '../schema/defaulters.ts';
import { inTurn } from './parts/defaults/fill.ts';

/** The defaults of a kind with those of fields whose feature gates are on. */
export function defaultersOf(
  { defaulters, gatedDefaulters }: Pick<KindDefinition, 'defaulters' | 'gatedDefaulters'>,
  featureGates: ReadonlyMap<string, boolean>,
): Defaulters {
  const added = Object.entries(gatedDefaulters).filter(([gate]) => featureGates.get(gate) === true);
  return added.reduce<Defaulters>((all, [, more]) => {
    const rows = Object.entries(more).map(
      ([type, row]) => [type, inTurn(all[type] ?? (() => undefined), row)] as const,
    );
    return { ...all, ...Object.fromEntries(rows) };
  }, defaulters);
}
