import type { Measure } from '../../api/measure.ts';
import type { PartContext } from '../../api/part.ts';

const definitions = {
  legacy: ['legacy_tokens_total', 'Service account tokens used that are meant for nobody in particular.'],
  stale: ['stale_tokens_total', 'Mounted service account tokens used that should have been read again.'],
  valid: ['valid_tokens_total', 'Bound service account tokens used in time.'],
  manual: ['legacy_manual_token_uses_total', 'Uses of tokens of secrets that somebody has made.'],
  generated: ['legacy_auto_token_uses_total', 'Uses of tokens of secrets that were made for every account.'],
  invalid: ['invalid_legacy_auto_token_uses_total', 'Uses of tokens of secrets that are marked as invalid.'],
} as const;

/** Validations by kind of token; cached results do not count. */
export type TokenMeasures = { readonly [name in keyof typeof definitions]: Measure };

export function tokenMeasures(measure: PartContext['measure']): TokenMeasures {
  const made = Object.entries(definitions).map(([name, [text, help]]) => [
    name,
    measure({ name: `serviceaccount_${text}`, help, type: 'counter', labelNames: [] }),
  ]);
  // Names of the metrics.
  return Object.fromEntries(made) as TokenMeasures;
}
