import type { ClientResource } from '../../../api/client/client.ts';
import { amountsOf } from '../parts/pod-amounts.ts';
import type { ChargedQuota } from './charged-quota.ts';
import type { UsageContext } from './evaluator.ts';
import { evaluatorOf } from './evaluators.ts';
import { addAmounts, growthOf, maskAmounts } from './quota-amounts.ts';

/** The quotas of a namespace, with no less used than its objects use. */
export async function countedQuotas(
  quotas: readonly ChargedQuota[],
  { resources, context }: { readonly resources: readonly ClientResource[]; readonly context: UsageContext },
): Promise<readonly ChargedQuota[]> {
  const counted = new Map(quotas.map((quota) => [quota, new Map() as ReturnType<typeof amountsOf>]));
  for (const { namespaced, group, version, resource: plural } of resources) {
    const evaluator = namespaced ? evaluatorOf({ group, version, plural }) : undefined;
    if (evaluator === undefined) continue;
    const names = (quota: ChargedQuota): ReadonlySet<string> =>
      new Set([...quota.used.keys()].filter((name) => evaluator.counts(name, context)));
    const counting = quotas.map((quota) => ({ quota, names: names(quota) })).filter(({ names: { size } }) => size > 0);
    if (counting.length === 0) continue;
    const { namespace = '' } = counting[0]?.quota.stored.metadata ?? {};
    for await (const object of context.stored.scan({ group, version, plural }, namespace)) {
      const { amounts, scopes } = await evaluator.usageOf(object, context);
      for (const { quota, names: own } of counting) {
        if (!quota.selects(scopes)) continue;
        counted.set(quota, addAmounts(counted.get(quota) ?? new Map(), maskAmounts(amounts, own)));
      }
    }
  }
  return quotas.map((quota) => atLeast(quota, counted.get(quota) ?? new Map()));
}

function atLeast(quota: ChargedQuota, counted: ReturnType<typeof amountsOf>): ChargedQuota {
  const used = quota.usedAmounts;
  return quota.plus(maskAmounts(growthOf(counted, used), used));
}
