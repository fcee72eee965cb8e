import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import { soon, type Soon } from '../../../api/scheduling/soon.ts';
import type { ScopedResourceSelectorRequirement } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { type Amounts, amountsOf } from '../parts/pod-amounts.ts';
import { refusal, unexplained } from '../../refusal.ts';
import type { ChargedQuota } from './charged-quota.ts';
import type { Evaluator, Usage, UsageContext } from './evaluator.ts';
import { growthOf, hasSign, maskAmounts, printAmounts, signOf, withoutZeros } from './quota-amounts.ts';
import type { LimitedResource } from './quota-config.ts';
import { isInScope } from './scopes.ts';

/** What the object of a request uses, and what it used before if it existed. */
interface RequestUsage {
  readonly after: Usage;
  readonly before: Usage | undefined;
}

export interface QuotaCheck {
  readonly attributes: AdmissionAttributes;
  readonly evaluator: Evaluator;
  readonly context: UsageContext;
  readonly usage: RequestUsage;
  /** What the configuration limits by default. */
  readonly limited: readonly LimitedResource[];
}

export function requestUsage(
  { object, oldObject }: AdmissionAttributes,
  evaluator: Evaluator,
  context: UsageContext,
): Soon<RequestUsage> {
  const usage = evaluator.usageOf(object as KubernetesObject, context); // handled writes have one
  return soon(usage, (after) =>
    oldObject === undefined
      ? { after, before: undefined }
      : soon(evaluator.usageOf(oldObject, context), (before) => ({ after, before })),
  );
}

/**
 * The quotas with the request charged; unaffected ones are returned as they are. Throws Forbidden when one is exceeded.
 */
export function chargedQuotas(quotas: readonly ChargedQuota[], check: QuotaCheck): readonly ChargedQuota[] {
  const { attributes, usage } = check;
  const { amounts } = usage.after;
  const charged = quotas.filter((quota) => isCharged(quota, usage.after, check));
  for (const quota of charged) requireStatement(quota, check);
  if (hasSign(amounts, -1)) {
    const negative = [...amounts.keys()].filter((name) => signOf(amounts.get(name) ?? '0') < 0);
    throw refusal(attributes, `quota usage is negative for resource(s): ${negative.toSorted().join(',')}`);
  }
  const { before } = usage;
  const growth = withoutZeros(before === undefined ? amounts : growthOf(amounts, before.amounts));
  // A quota that did not count the object before is charged with all of it.
  const chargeOf = (quota: ChargedQuota): Amounts =>
    before === undefined || isCharged(quota, before, check) ? growth : withoutZeros(amounts);
  const charges = charged.map((quota) => ({ quota, charge: chargeOf(quota) })).filter(({ charge }) => charge.size > 0);
  if (charged.length === 0 ? growth.size === 0 : charges.length === 0) return quotas;
  requireCover({ quotas, charged }, check);
  const after = new Map(charges.map(({ quota, charge }) => [quota, withCharge(quota, charge, attributes)]));
  return quotas.map((quota) => after.get(quota) ?? quota);
}

function isCharged(quota: ChargedQuota, { scopes }: Usage, { evaluator, context }: QuotaCheck): boolean {
  return quota.countedNames(evaluator, context).length > 0 && quota.selects(scopes);
}

function requireStatement(quota: ChargedQuota, { attributes, evaluator, context }: QuotaCheck): void {
  const counted = quota.countedNames(evaluator, context);
  const missing = evaluator.missing?.(attributes.object as KubernetesObject, counted, context);
  if (missing !== undefined) throw refusal(attributes, `failed quota: ${quota.name}: ${missing}`);
  if (counted.every((each) => quota.used.has(each))) return;
  throw refusal(attributes, `status unknown for quota: ${quota.name}, resources: ${counted.toSorted().join(',')}`);
}

interface Covering {
  readonly quotas: readonly ChargedQuota[];
  readonly charged: readonly ChargedQuota[];
}

/** What the configuration limits is used where a quota allows it, and nowhere else. */
function requireCover({ quotas, charged }: Covering, check: QuotaCheck): void {
  const { attributes, limited, evaluator, context, usage } = check;
  if (limited.length === 0) return;
  const { amounts, scopes } = usage.after;
  const covered = new Set(charged.flatMap((quota) => quota.countedNames(evaluator, context)));
  const uncovered = limitedNames(amounts, check).filter((name) => !covered.has(name));
  if (uncovered.length > 0) throw refusal(attributes, `insufficient quota to consume: ${uncovered.join(',')}`);
  const allowed = new Set(
    quotas.flatMap(({ requirements }) =>
      requirements.filter((requirement) => isInScope(requirement, scopes)).map(({ scopeName }) => scopeName),
    ),
  );
  const missing = limited
    .flatMap(({ matchScopes }) => matchScopes)
    .filter((requirement) => isInScope(requirement, scopes) && !allowed.has(requirement.scopeName));
  if (missing.length === 0) return;
  throw unexplained(`insufficient quota to match these scopes: [${missing.map(printRequirement).join(' ')}]`);
}

function limitedNames(amounts: Amounts, { attributes, limited }: QuotaCheck): readonly string[] {
  const parts = limited
    .filter(({ apiGroup, resource }) => apiGroup === attributes.group && resource === attributes.resource)
    .flatMap(({ matchContains }) => matchContains);
  const names = [...withoutZeros(amounts).keys()].filter((name) => parts.some((part) => name.includes(part)));
  return names.toSorted();
}

function printRequirement({ scopeName = '', operator = '', values = [] }: ScopedResourceSelectorRequirement): string {
  return `{${scopeName} ${operator} [${values.join(' ')}]}`;
}

/** What the kubelet reports is charged even when it is too much: it is so already. */
function withCharge(quota: ChargedQuota, charge: Amounts, attributes: AdmissionAttributes): ChargedQuota {
  const next = quota.plus(charge);
  if (attributes.subresource === 'status') return next;
  const exceeded = next.exceeded(charge.keys());
  if (exceeded.size === 0) return next;
  const lists = [charge, quota.usedAmounts, amountsOf(quota.stored.status?.hard)];
  const [requested, taken, limits] = lists.map((amounts) => printAmounts(maskAmounts(amounts, exceeded)));
  throw refusal(
    attributes,
    `exceeded quota: ${quota.name}, requested: ${requested}, used: ${taken}, limited: ${limits}`,
  );
}
