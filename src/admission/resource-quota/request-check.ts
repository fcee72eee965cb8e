import type { AdmissionAttributes } from '../../api/admission.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type {
  ResourceQuota,
  ScopedResourceSelectorRequirement,
} from '../../schema/kubernetes/generated/types/core-v1.ts';
import { type Amounts, amountsOf } from '../pod-amounts.ts';
import { refusal, unexplained } from '../refusal.ts';
import type { Evaluator, Usage, UsageContext } from './evaluator.ts';
import {
  addAmounts,
  exceededNames,
  growthOf,
  maskAmounts,
  printAmounts,
  signOf,
  withoutZeros,
} from './quota-amounts.ts';
import type { LimitedResource } from './quota-config.ts';
import { isInScope, requirementsOf } from './scopes.ts';

export type StoredQuota = Readonly<KubernetesObject> & ResourceQuota;

export interface QuotaCheck {
  readonly attributes: AdmissionAttributes;
  readonly evaluator: Evaluator;
  readonly context: UsageContext;
  /** What the configuration limits by default. */
  readonly limited: readonly LimitedResource[];
}

/**
 * The quotas with the request charged; unaffected ones are returned as they are. Throws Forbidden when one is exceeded.
 */
export async function chargedQuotas(
  quotas: readonly StoredQuota[],
  check: QuotaCheck,
): Promise<readonly StoredQuota[]> {
  const { attributes, evaluator, context } = check;
  const object = attributes.object as KubernetesObject; // handled writes have one
  const usage = await evaluator.usageOf(object, context);
  const charged = new Set(quotas.filter((quota) => isCharged(quota, usage, check)));
  for (const quota of charged) demandStatement(quota, check);
  const negative = [...usage.amounts].filter(([, amount]) => signOf(amount) < 0).map(([name]) => name);
  if (negative.length > 0) {
    throw refusal(attributes, `quota usage is negative for resource(s): ${negative.toSorted().join(',')}`);
  }
  const { oldObject } = attributes;
  const before = oldObject === undefined ? undefined : await evaluator.usageOf(oldObject, context);
  const growth = withoutZeros(before === undefined ? usage.amounts : growthOf(usage.amounts, before.amounts));
  // A quota that did not count the object before is charged with all of it.
  const chargeOf = (quota: StoredQuota): Amounts =>
    before === undefined || isCharged(quota, before, check) ? growth : withoutZeros(usage.amounts);
  const charges = [...charged]
    .map((quota) => [quota, chargeOf(quota)] as const)
    .filter(([, charge]) => charge.size > 0);
  if (charged.size === 0 ? growth.size === 0 : charges.length === 0) return quotas;
  demandCover({ quotas, charged }, usage, check);
  const after = new Map(charges.map(([quota, charge]) => [quota, withCharge(quota, charge, attributes)]));
  return quotas.map((quota) => after.get(quota) ?? quota);
}

function isCharged({ spec = {}, status }: StoredQuota, { scopes }: Usage, { evaluator, context }: QuotaCheck): boolean {
  return (
    Object.keys(status?.hard ?? {}).some((name) => evaluator.counts(name, context)) &&
    requirementsOf(spec).every((requirement) => isInScope(requirement, scopes))
  );
}

function countedNames({ status }: StoredQuota, { evaluator, context }: QuotaCheck): readonly string[] {
  return Object.keys(status?.hard ?? {}).filter((name) => evaluator.counts(name, context));
}

function demandStatement(quota: StoredQuota, check: QuotaCheck): void {
  const { attributes, evaluator, context } = check;
  const { name } = quota.metadata;
  const counted = countedNames(quota, check);
  const missing = evaluator.missing?.(attributes.object as KubernetesObject, counted, context);
  if (missing !== undefined) throw refusal(attributes, `failed quota: ${name}: ${missing}`);
  const used = quota.status?.used ?? {};
  if (counted.every((each) => Object.hasOwn(used, each))) return;
  throw refusal(attributes, `status unknown for quota: ${name}, resources: ${counted.toSorted().join(',')}`);
}

interface Covering {
  readonly quotas: readonly StoredQuota[];
  readonly charged: ReadonlySet<StoredQuota>;
}

/** What the configuration limits is used where a quota allows it, and nowhere else. */
function demandCover({ quotas, charged }: Covering, { amounts, scopes }: Usage, check: QuotaCheck): void {
  const { attributes, limited } = check;
  if (limited.length === 0) return;
  const covered = new Set([...charged].flatMap((quota) => countedNames(quota, check)));
  const uncovered = limitedNames(amounts, check).filter((name) => !covered.has(name));
  if (uncovered.length > 0) throw refusal(attributes, `insufficient quota to consume: ${uncovered.join(',')}`);
  const allowed = new Set(
    quotas.flatMap(({ spec = {} }) =>
      requirementsOf(spec)
        .filter((requirement) => isInScope(requirement, scopes))
        .map(({ scopeName }) => scopeName),
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
function withCharge(quota: StoredQuota, charge: Amounts, attributes: AdmissionAttributes): StoredQuota {
  const hard = amountsOf(quota.status?.hard);
  const used = amountsOf(quota.status?.used);
  const requested = maskAmounts(charge, hard);
  if (requested.size === 0) return quota;
  const next = addAmounts(used, requested);
  const exceeded = exceededNames(maskAmounts(next, requested), hard);
  if (attributes.subresource !== 'status' && exceeded.size > 0) {
    const [asked, taken, limits] = [requested, used, hard].map((amounts) =>
      printAmounts(maskAmounts(amounts, exceeded)),
    );
    const { name } = quota.metadata;
    throw refusal(attributes, `exceeded quota: ${name}, requested: ${asked}, used: ${taken}, limited: ${limits}`);
  }
  return { ...quota, status: { ...quota.status, used: Object.fromEntries(next) } };
}
