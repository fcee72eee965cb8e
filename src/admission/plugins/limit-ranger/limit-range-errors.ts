import { type Findings } from '../../../api/errors/findings.ts';
import { canonicalQuantity, parseQuantity, quantityMilliValue, quantityValue } from '../../../api/values/quantity.ts';
import type { LimitRangeItem, PersistentVolumeClaim, Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { type Amounts, amountsOf, podAmounts } from '../parts/pod-amounts.ts';

/** What one container, pod or claim requests. */
interface RequestedAmounts {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** One constraint of a limit range. */
interface Rule {
  /** `Container` */
  readonly type: string;
  readonly resource: string;
  readonly enforced: string;
}

/** The message when the constraint is violated. */
type Check = (rule: Rule, requested: RequestedAmounts) => string | undefined;

interface FieldCheck {
  readonly field: 'min' | 'max' | 'maxLimitRequestRatio';
  readonly check: Check;
}

const podChecks: readonly FieldCheck[] = [
  { field: 'min', check: minimum },
  { field: 'max', check: maximum },
  { field: 'maxLimitRequestRatio', check: ratio },
];
const claimChecks: readonly FieldCheck[] = [
  { field: 'min', check: minimum },
  { field: 'max', check: maximumRequest },
];

/** Violations of one limit range by a pod and each of its containers. */
export function* podLimitErrors(pod: Pod, limits: readonly LimitRangeItem[]): Findings<string> {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])].map(({ resources }) => ({
    requests: amountsOf(resources?.requests),
    limits: amountsOf(resources?.limits),
  }));
  for (const item of limits) {
    if (item.type === 'Container') for (const requested of containers) yield* broken(item, podChecks, requested);
    if (item.type !== 'Pod') continue;
    yield* broken(item, podChecks, { requests: podAmounts(pod, 'requests'), limits: podAmounts(pod, 'limits') });
  }
}

/** Violations of one limit range by a claim. */
export function* claimLimitErrors(claim: PersistentVolumeClaim, limits: readonly LimitRangeItem[]): Findings<string> {
  const requested = { requests: amountsOf(claim.spec?.resources?.requests), limits: new Map<string, string>() };
  for (const item of limits) if (item.type === 'PersistentVolumeClaim') yield* broken(item, claimChecks, requested);
}

function* broken(item: LimitRangeItem, checks: readonly FieldCheck[], requested: RequestedAmounts): Findings<string> {
  for (const { field, check } of checks) {
    const limits = item[field] ?? {};
    for (const resource in limits) {
      const enforced = canonicalQuantity(limits[resource] ?? '');
      const problem = check({ type: item.type ?? '', resource, enforced }, requested);
      if (problem !== undefined) yield problem;
    }
  }
}

function minimum({ type, resource, enforced }: Rule, { requests, limits }: RequestedAmounts): string | undefined {
  const says = `minimum ${resource} usage per ${type} is ${enforced}`;
  const [request, limit] = [requests.get(resource), limits.get(resource)];
  const values = comparable(request, limit, enforced);
  if (request === undefined) return `${says}.  No request is specified`;
  if (values.request < values.enforced) return `${says}, but request is ${canonicalQuantity(request)}`;
  if (limit !== undefined && values.limit < values.enforced) return `${says}, but limit is ${canonicalQuantity(limit)}`;
  return undefined;
}

function maximum({ type, resource, enforced }: Rule, { requests, limits }: RequestedAmounts): string | undefined {
  const says = `maximum ${resource} usage per ${type} is ${enforced}`;
  const [request, limit] = [requests.get(resource), limits.get(resource)];
  const values = comparable(request, limit, enforced);
  if (limit === undefined) return `${says}.  No limit is specified`;
  if (values.limit > values.enforced) return `${says}, but limit is ${canonicalQuantity(limit)}`;
  if (request !== undefined && values.request > values.enforced) {
    return `${says}, but request is ${canonicalQuantity(request)}`;
  }
  return undefined;
}

function maximumRequest({ type, resource, enforced }: Rule, { requests }: RequestedAmounts): string | undefined {
  const says = `maximum ${resource} usage per ${type} is ${enforced}`;
  const request = requests.get(resource);
  const values = comparable(request, undefined, enforced);
  if (request === undefined) return `${says}.  No request is specified`;
  return values.request > values.enforced ? `${says}, but request is ${canonicalQuantity(request)}` : undefined;
}

function ratio({ type, resource, enforced }: Rule, { requests, limits }: RequestedAmounts): string | undefined {
  const says = `${resource} max limit to request ratio per ${type} is ${enforced}`;
  const values = comparable(requests.get(resource), limits.get(resource), enforced);
  if (values.request === 0n) return `${says}, but no request is specified or request is 0`;
  if (values.limit === 0n) return `${says}, but no limit is specified or limit is 0`;
  const provided = Number(values.limit) / Number(values.request);
  const allowed = parseQuantity(enforced);
  const inThousandths = quantityValue(allowed) <= largestInThousandths;
  const exceeded = inThousandths
    ? provided * 1000 > Number(quantityMilliValue(allowed))
    : provided > Number(quantityValue(allowed));
  return exceeded ? `${says}, but provided ratio is ${provided.toFixed(6)}` : undefined;
}

/** Amounts up to this, in units, fit 64 bits in quantityMilliValue. */
const largestInThousandths = (2n ** 63n - 1n) / 1000n;

/** Three amounts as integers of one scale: thousandths, unless one of them is too large for that. */
function comparable(
  request = '0',
  limit = '0',
  enforced = '0',
): { readonly request: bigint; readonly limit: bigint; readonly enforced: bigint } {
  const amounts = [request, limit, enforced].map(parseQuantity);
  const fit = amounts.every((amount) => quantityValue(amount) <= largestInThousandths);
  const [one = 0n, two = 0n, three = 0n] = amounts.map(fit ? quantityMilliValue : quantityValue);
  return { request: one, limit: two, enforced: three };
}
