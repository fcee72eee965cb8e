import { convertBuiltIn } from '../resources/built-in-conversions.ts';
import { builtInDefaults } from '../resources/built-in-defaults.ts';
import { builtInStrategies, defaultStrategy } from '../resources/built-in-strategies.ts';
import type { ResourceScopesOptions } from './resource-scopes.ts';

/** What built-in kinds do beyond their schemas. */
export function builtInBehaviour(): Pick<ResourceScopesOptions, 'strategyOf' | 'defaulters' | 'convert'> {
  const strategies = builtInStrategies();
  return {
    strategyOf: (group, kind) => ({ ...defaultStrategy, ...strategies.get(`${group}/${kind}`) }),
    defaulters: builtInDefaults,
    convert: convertBuiltIn,
  };
}
