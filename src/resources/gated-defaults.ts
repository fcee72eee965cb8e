import type { Defaulters } from '../schema/defaulters.ts';
import { inTurn } from './parts/defaults/fill.ts';

/** Further defaults while a feature gate is on, by gate. */
export interface GatedDefaults {
  readonly [gate: string]: Defaulters;
}

/** The defaults of a kind with those of fields whose feature gates are on. */
export function withGatedDefaults(
  defaulters: Defaulters,
  gated: GatedDefaults,
  featureGates: ReadonlyMap<string, boolean>,
): Defaulters {
  const added = Object.entries(gated).filter(([gate]) => featureGates.get(gate) === true);
  return added.reduce<Defaulters>((all, [, more]) => {
    const rows = Object.entries(more).map(
      ([type, row]) => [type, inTurn(all[type] ?? (() => undefined), row)] as const,
    );
    return { ...all, ...Object.fromEntries(rows) };
  }, defaulters);
}
