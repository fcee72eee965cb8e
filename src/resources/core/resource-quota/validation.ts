import { childPath, invalidField, requiredField } from '../../../api/errors/field-error.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { amounts, isStandardQuotaResource, quotaResourceName } from '../../parts/amounts/quantities.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, immutableMessage } from '../../parts/rules/rules.ts';
import { shownField } from '../../parts/rules/set-fields.ts';

const quotaAmounts = amounts(quotaResourceName);

const computeQuotas = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

const podQuotas = ['pods', ...computeQuotas];

/** Resources that each scope may be combined with. */
const scopes: { readonly [scope: string]: readonly string[] } = {
  Terminating: podQuotas,
  NotTerminating: podQuotas,
  BestEffort: ['pods'],
  NotBestEffort: podQuotas,
  PriorityClass: podQuotas,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
  CrossNamespacePodAffinity: podQuotas,
};

const existsOnly = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];

function* scopeErrors(
  scope: string,
  sortedNames: readonly string[],
  refuse: (detail: string) => ReturnType<typeof invalidField>,
): Errors {
  const counted = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  for (const name of sortedNames) {
    if (counted === undefined || !isStandardQuotaResource(name) || counted.includes(name)) continue;
    yield refuse('unsupported scope applied to resource');
  }
}

function conflicts(list: readonly string[]): number {
  const pairs = [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ];
  return pairs.filter((pair) => pair.every((scope) => list.includes(scope))).length;
}

export function* resourceQuota({ spec = {}, status = {} }: core.ResourceQuota): Errors {
  const hard = Object.keys(spec.hard ?? {}).sort();
  yield* quotaAmounts(spec.hard, 'spec.hard');
  const list = spec.scopes ?? [];
  const refuse = (detail: string) => invalidField('spec.scopes', list, detail);
  for (const scope of list) {
    if (!Object.hasOwn(scopes, scope)) yield refuse('unsupported scope');
    yield* scopeErrors(scope, hard, refuse);
  }
  for (let count = conflicts(list); count > 0; count--) yield refuse('conflicting scopes');
  yield* scopeSelector(spec, hard, 'spec.scopeSelector.matchExpressions');
  yield* quotaAmounts(status.hard, 'status.hard');
  yield* quotaAmounts(status.used, 'status.used');
}

function* scopeSelector(spec: core.ResourceQuotaSpec, hard: readonly string[], path: string): Errors {
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  const shown = internalValue('core.ScopeSelector', spec.scopeSelector);
  for (const { scopeName = '', operator = '', values = [] } of requirements) {
    const [operatorPath, valuesPath] = [childPath(path, 'operator'), childPath(path, 'values')];
    if (!Object.hasOwn(scopes, scopeName))
      yield invalidField(childPath(path, 'scopeName'), scopeName, 'unsupported scope');
    yield* scopeErrors(scopeName, hard, (detail) => invalidField(path, shown, detail));
    if (existsOnly.includes(scopeName) && operator !== 'Exists') {
      const names = 'ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort';
      const rest = 'ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';
      yield invalidField(operatorPath, operator, `must be 'Exists' when scope is any of ${names}, ${rest}`);
    }
    if (operator === 'In' || operator === 'NotIn') {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (values.length === 0) yield requiredField(valuesPath, detail);
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      if (values.length > 0) yield invalidField(valuesPath, values, detail);
    } else yield invalidField(operatorPath, operator, 'not a valid selector operator');
  }
  const names = requirements.map(({ scopeName = '' }) => scopeName);
  for (let count = conflicts(names); count > 0; count--)
    yield invalidField(path, shownField(spec, 'scopes'), 'conflicting scopes');
}

export function* resourceQuotaUpdate(object: core.ResourceQuota, old: core.ResourceQuota): Errors {
  const [now, before] = [new Set(object.spec?.scopes), new Set(old.spec?.scopes)];
  if (now.size === before.size && [...now].every((scope) => before.has(scope))) return;
  yield invalidField('spec.scopes', shownField(object.spec ?? {}, 'scopes'), immutableMessage);
}

export function* resourceQuotaStatus({ status = {} }: core.ResourceQuota): Errors {
  yield* quotaAmounts(status.hard, 'status.hard');
  yield* quotaAmounts(status.used, 'status.used');
}
