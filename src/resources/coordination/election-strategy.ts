import { notSupportedField } from '../../api/errors/field-error.ts';
import { qualifiedNameErrors } from '../../api/meta/names.ts';
import { type Errors, formErrors } from '../parts/rules/rules.ts';

const strategies: readonly string[] = ['OldestEmulationVersion'];

/** How a leader is chosen among candidates. */
export function electionStrategy(strategy: string, path: string): Errors {
  // The reference repeats the field name.
  const named = `${path}.strategy`;
  if (strategy.includes('/')) return formErrors(named, strategy, qualifiedNameErrors(strategy));
  return strategies.includes(strategy) ? [] : [notSupportedField(named, strategy, strategies)];
}
