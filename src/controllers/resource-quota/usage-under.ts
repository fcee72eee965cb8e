import { Turns } from '../../api/turns.ts';
import type { UsageContext } from '../../admission/resource-quota/evaluator.ts';
import { addAmounts, maskAmounts } from '../../admission/resource-quota/quota-amounts.ts';
import type { StoredQuota } from '../../admission/resource-quota/request-check.ts';
import { isInScope, requirementsOf } from '../../admission/resource-quota/scopes.ts';
import type { Amounts } from '../../admission/pod-amounts.ts';
import type { QuotaContent } from './quota-content.ts';

/** What a quota counts of the contents of its namespace. */
export async function usageUnder(
  { spec = {} }: StoredQuota,
  contents: Iterable<QuotaContent>,
  context: Pick<UsageContext, 'isOn' | 'classes'>,
): Promise<Amounts> {
  const requirements = requirementsOf(spec);
  const turns = new Turns();
  let total: Amounts = new Map();
  for (const content of contents) {
    const names = new Set(Object.keys(spec.hard ?? {}).filter((name) => content.evaluator.counts(name, context)));
    if (names.size === 0) continue;
    total = addAmounts(total, new Map([...names].map((name) => [name, '0'])));
    for (const { amounts, scopes } of await content.usages()) {
      if (turns.isOver) await turns.next();
      if (requirements.every((requirement) => isInScope(requirement, scopes))) {
        total = addAmounts(total, maskAmounts(amounts, names));
      }
    }
  }
  return total;
}
