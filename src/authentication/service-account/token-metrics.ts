import type { Metric } from '../../api/metrics/metric.ts';
import type { PartContext } from '../../api/contracts/part.ts';

const definitions = {
  legacy: ['legacy_tokens_total', 'Uses of legacy service account tokens.'],
  stale: ['stale_tokens_total', 'Uses of service account tokens past their original expiry.'],
  valid: ['valid_tokens_total', 'Uses of bound service account tokens within their original expiry.'],
  manual: ['legacy_manual_token_uses_total', 'Uses of manually created secret tokens.'],
  generated: ['legacy_auto_token_uses_total', 'Uses of automatically generated secret tokens.'],
  invalid: ['invalid_legacy_auto_token_uses_total', 'Uses of secret tokens that are marked as invalid.'],
} as const;

/** Validations by kind of token; cached results do not count. */
export type TokenMetrics = { readonly [name in keyof typeof definitions]: Metric };

export function tokenMetrics(metric: PartContext['metric']): TokenMetrics {
  const made = Object.entries(definitions).map(([name, [text, help]]) => [
    name,
    metric({ name: `serviceaccount_${text}`, help, type: 'counter', labelNames: [] }),
  ]);
  // Names of the metrics.
  return Object.fromEntries(made) as TokenMetrics;
}
