import { matchesLabels, SelectorSyntaxError } from '../api/selectors/label-selector.ts';
import { selectorOfObject, type LabelSelectorObject } from '../api/selectors/label-selector-object.ts';
import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { StatusError } from '../api/errors/status.ts';
import { forbidden, notFound, tooManyRequests } from '../api/errors/status-errors.ts';
import { formatSeconds } from '../registry/write/metadata.ts';
import { type StoreKind, type WriteScope, keyPrefixOf } from '../registry/stored/store-kind.ts';
import { decodeAll } from '../registry/stored/stored-object.ts';
import { updateObject } from '../registry/write/update.ts';
import { allReadable } from '../registry/stored/unreadable.ts';
import type { Pod } from '../schema/kubernetes/generated/types/core-v1.ts';
import type { Condition } from '../schema/kubernetes/generated/types/meta-v1.ts';
import type { PodDisruptionBudget } from '../schema/kubernetes/generated/types/policy-v1.ts';
import { prefixEnd } from '../storage/contract.ts';

export type Budget = KubernetesObject & PodDisruptionBudget;

const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";
const maxDisruptedPods = 2000;
const resource = { group: 'policy', resource: 'poddisruptionbudgets' };

/** The budgets of a namespace that select a pod. */
export async function budgetsOf(store: StoreKind, namespace: string, pod: KubernetesObject): Promise<Budget[]> {
  const prefix = keyPrefixOf(store, namespace);
  const { kvs } = await store.storage.range({ start: prefix, end: prefixEnd(prefix) });
  const budgets = (await decodeAll(store.codec, allReadable(store, resource, kvs))) as Budget[]; // stored under the prefix of budgets
  return budgets.filter(({ spec }) => selects(spec?.selector as LabelSelectorObject | undefined, pod));
}

/** An invalid selector selects nothing. */
function selects(selector: LabelSelectorObject | undefined, { metadata }: KubernetesObject): boolean {
  try {
    const parsed = selectorOfObject(selector);
    return parsed !== undefined && matchesLabels(parsed, metadata.labels ?? {});
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return false;
    throw error;
  }
}

/** Whether an unready pod can be evicted without counting as a disruption. */
export function sparesUnready({ spec, status }: Budget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const desired = status?.desiredHealthy ?? 0;
  return desired > 0 && (status?.currentHealthy ?? 0) >= desired;
}

export function isReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True');
}

/** Takes one disruption from a budget, or throws the reason why none is allowed. */
export async function spend(store: StoreKind, name: string, podName: string, scope: WriteScope): Promise<void> {
  await updateObject(
    store,
    {
      name,
      subresource: 'status',
      preconditions: {},
      transform(old) {
        if (old === undefined) throw notFound(resource, name);
        return spent(cloneObject(old) as Budget, podName, scope.context.nowMs);
      },
      admitCreate: () => undefined,
      admitUpdate: () => undefined,
    },
    { ...scope, resource },
  );
}

function spent(budget: Budget, podName: string, nowMs: number): Budget {
  const { status = {} } = budget;
  checkBudget(budget);
  status.disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
  if (status.disruptionsAllowed === 0) markExhausted(status, nowMs);
  status.disruptedPods = { ...status.disruptedPods, [podName]: formatSeconds(nowMs) };
  budget.status = status;
  return budget;
}

function checkBudget({ metadata, status = {} }: Budget): void {
  const { name = '' } = metadata;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) throw stillProcessed(name);
  const allowed = status.disruptionsAllowed ?? 0;
  const prefix = `The disruption budget ${name} does not allow evicting pods currently`;
  const subject = { group: 'policy', resource: 'poddisruptionbudget' };
  if (allowed < 0) {
    const why = 'pdb disruptions allowed is negative';
    throw withCause(forbidden(subject, name, why), `${prefix}: ${why}`);
  }
  if (Object.keys(status.disruptedPods ?? {}).length > maxDisruptedPods) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    const message = `${prefix}: too many pending evictions not confirmed by PDB controller`;
    throw withCause(forbidden(subject, name, why), message);
  }
  if (allowed === 0) throw withCause(tooManyRequests(refusal, 0), exhausted(name, prefix, status));
}

function exhausted(name: string, prefix: string, status: NonNullable<PodDisruptionBudget['status']>): string {
  const { conditions = [], currentHealthy = 0, desiredHealthy = 0 } = status;
  const condition = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const detail = condition?.status === 'False' ? (condition.message ?? '') : '';
  if (detail !== '' && condition?.reason === 'SyncFailed') return `${prefix} because it failed sync: ${detail}`;
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return detail === '' ? prefix : `${prefix} (${condition?.reason ?? ''}): ${detail}`;
}

/** The disruption controller has not observed the last change; also for a pod that became ready meanwhile. */
export function stillProcessed(name: string): StatusError {
  const message = `The disruption budget ${name} is still being processed by the server.`;
  return withCause(tooManyRequests(refusal, 10), message);
}

function withCause({ status }: StatusError, message: string): StatusError {
  return new StatusError({
    ...status,
    details: { ...status.details, causes: [{ reason: 'DisruptionBudget', message }] },
  });
}

function markExhausted(status: NonNullable<PodDisruptionBudget['status']>, nowMs: number): void {
  const old = (status.conditions ?? []).find(({ type }) => type === 'DisruptionAllowed');
  const condition: Condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'InsufficientPods',
    message: '',
    observedGeneration: status.observedGeneration ?? 0,
    lastTransitionTime: old?.status === 'False' ? (old.lastTransitionTime ?? '') : formatSeconds(nowMs),
  };
  const others = status.conditions ?? [];
  status.conditions =
    old === undefined ? [...others, condition] : others.map((each) => (each === old ? condition : each));
}
