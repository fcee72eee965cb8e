import type { Scopes, Usage } from './evaluator.ts';
import { sameAmounts } from './quota-amounts.ts';

export function sameUsage(a: Usage, b: Usage): boolean {
  return a === b || (sameAmounts(a.amounts, b.amounts) && sameScopes(a.scopes, b.scopes));
}

function sameScopes(a: Scopes, b: Scopes): boolean {
  if (a.flags.size !== b.flags.size || ![...a.flags].every((flag) => b.flags.has(flag))) return false;
  return [...a.values].every(([scope, values]) => values.join() === b.values.get(scope)?.join());
}
