import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import type { Evaluator, Usage, UsageContext } from '../../admission/plugins/resource-quota/evaluator.ts';
import { addAmounts, AmountSum, growthOf, maskAmounts } from '../../admission/plugins/resource-quota/quota-amounts.ts';
import type { StoredQuota } from '../../admission/plugins/resource-quota/charged-quota.ts';
import { isInScope, requirementsOf } from '../../admission/plugins/resource-quota/scopes.ts';
import { type Amounts, amountsOf } from '../../admission/plugins/parts/pod-amounts.ts';
import type { QuotaContent } from './quota-content.ts';

/** What a quota counts of the contents of its namespace. */
export async function usageUnder(
  { spec = {} }: StoredQuota,
  contents: Iterable<QuotaContent>,
  context: Pick<UsageContext, 'isOn' | 'classes'>,
): Promise<Amounts> {
  const requirements = requirementsOf(spec);
  const timeSlice = new TimeSlice();
  const total = new Map<string, string>();
  for (const content of contents) {
    const names = new Set(Object.keys(spec.hard ?? {}).filter((name) => content.evaluator.counts(name, context)));
    if (names.size === 0) continue;
    const sum = new AmountSum(names);
    for (const { amounts, scopes } of await content.usages()) {
      if (timeSlice.isOver) await timeSlice.next();
      if (requirements.every((requirement) => isInScope(requirement, scopes))) sum.add(amounts);
    }
    for (const [name, amount] of addAmounts(maskAmounts(total, names), sum.amounts)) total.set(name, amount);
  }
  return total;
}

/** A change of an object that is counted. */
export interface Release {
  readonly evaluator: Evaluator;
  readonly before: Usage;
  /** Undefined when the object is gone. */
  readonly after: Usage | undefined;
}

/** What is used under a quota without what changed objects use no longer. Growth is charged by admission. */
export function withoutReleased(
  { spec = {}, status }: StoredQuota,
  releases: readonly Release[],
  context: Pick<UsageContext, 'isOn' | 'classes'>,
): Amounts {
  const requirements = requirementsOf(spec);
  let used = amountsOf(status?.used);
  for (const { evaluator, before, after } of releases) {
    const names = new Set([...used.keys()].filter((name) => evaluator.counts(name, context)));
    const [from, to] = [before, after].map((usage) =>
      usage !== undefined && requirements.every((requirement) => isInScope(requirement, usage.scopes))
        ? maskAmounts(usage.amounts, names)
        : new Map<string, string>(),
    );
    const released = growthOf(from ?? new Map(), to ?? new Map());
    const left = growthOf(maskAmounts(used, released), released);
    used = new Map([...used, ...left]);
  }
  return used;
}
