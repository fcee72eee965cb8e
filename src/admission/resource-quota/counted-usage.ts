import type { ClientResource } from '../../api/client.ts';
import { Turns } from '../../api/turns.ts';
import { amountsOf } from '../pod-amounts.ts';
import type { UsageContext } from './evaluator.ts';
import { evaluatorOf } from './evaluators.ts';
import { addAmounts, exceededNames, maskAmounts } from './quota-amounts.ts';
import type { StoredQuota } from './request-check.ts';
import { isInScope, requirementsOf } from './scopes.ts';

/** The quotas of a namespace, with no less used than its objects use. */
export async function countedQuotas(
  quotas: readonly StoredQuota[],
  { resources, context }: { readonly resources: readonly ClientResource[]; readonly context: UsageContext },
): Promise<readonly StoredQuota[]> {
  const counted = new Map(quotas.map((quota) => [quota, new Map() as ReturnType<typeof amountsOf>]));
  const turns = new Turns();
  for (const { namespaced, group, version, resource: plural } of resources) {
    const evaluator = namespaced ? evaluatorOf({ group, version, plural }) : undefined;
    if (evaluator === undefined) continue;
    const names = (quota: StoredQuota): ReadonlySet<string> =>
      new Set(Object.keys(quota.status?.used ?? {}).filter((name) => evaluator.counts(name, context)));
    const counting = quotas.map((quota) => ({ quota, names: names(quota) })).filter(({ names: { size } }) => size > 0);
    if (counting.length === 0) continue;
    const { namespace = '' } = counting[0]?.quota.metadata ?? {};
    for (const object of await context.stored.scan({ group, version, plural }, namespace)) {
      if (turns.isOver) await turns.next();
      const { amounts, scopes } = await evaluator.usageOf(object, context);
      for (const { quota, names: own } of counting) {
        if (!requirementsOf(quota.spec ?? {}).every((requirement) => isInScope(requirement, scopes))) continue;
        counted.set(quota, addAmounts(counted.get(quota) ?? new Map(), maskAmounts(amounts, own)));
      }
    }
  }
  return quotas.map((quota) => atLeast(quota, counted.get(quota) ?? new Map()));
}

function atLeast(quota: StoredQuota, counted: ReturnType<typeof amountsOf>): StoredQuota {
  const used = amountsOf(quota.status?.used);
  const more = exceededNames(counted, used);
  if (more.size === 0) return quota;
  const next = new Map([...used, ...maskAmounts(counted, more)]);
  return { ...quota, status: { ...quota.status, used: Object.fromEntries(next) } };
}
