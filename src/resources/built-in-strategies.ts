import type { Strategy, UpdateStrategy } from '../registry/strategy.ts';
import { builtInOwnableFields } from './ownable-fields.ts';
import { coreStrategies } from './strategies/core.ts';
import { groupStrategies } from './strategies/groups.ts';
import { builtInValidation } from './validation/built-in-validation.ts';
import { type KindValidation, kindValidation } from './kind-validation.ts';
import { builtInStatusWarnings, builtInWarnings } from './warnings/built-in-warnings.ts';

/** What built-in kinds do on writes, and what they check, by `group/Kind` (`/Pod` in the core group). */
export function builtInStrategies(): ReadonlyMap<string, Strategy> {
  const rows = new Map<string, Strategy>();
  for (const [kind, strategy] of Object.entries(coreStrategies)) rows.set(`/${kind}`, strategy);
  for (const [kind, strategy] of Object.entries(groupStrategies)) rows.set(kind, strategy);
  for (const [kind, checks] of Object.entries(builtInValidation)) {
    const key = kind.includes('/') ? kind : `/${kind}`;
    rows.set(key, withChecks(rows.get(key) ?? {}, checks));
  }
  for (const [kind, warnings] of Object.entries(builtInWarnings)) rows.set(kind, { ...rows.get(kind), ...warnings });
  for (const [kind, { updateWarnings }] of Object.entries(builtInStatusWarnings)) {
    const { subresources = {}, ...strategy } = rows.get(kind) ?? {};
    const status = { ...subresources['status'], ...(updateWarnings && { updateWarnings }) };
    rows.set(kind, { ...strategy, subresources: { ...subresources, status } });
  }
  for (const [kind, ownableFields] of Object.entries(builtInOwnableFields)) {
    rows.set(kind, { ...rows.get(kind), ownableFields });
  }
  return rows;
}

/** What kinds without checks of their own check: their finalizers. */
export const defaultStrategy: Strategy = kindValidation({});

function withChecks(strategy: Strategy, { validate, validateUpdate, subresources = {} }: KindValidation): Strategy {
  const names = new Set([...Object.keys(strategy.subresources ?? {}), ...Object.keys(subresources)]);
  const merged: { [name: string]: UpdateStrategy } = {};
  for (const name of names) merged[name] = { ...strategy.subresources?.[name], ...subresources[name] };
  return {
    ...strategy,
    ...(validate === undefined ? {} : { validate }),
    ...(validateUpdate === undefined ? {} : { validateUpdate }),
    subresources: merged,
  };
}
