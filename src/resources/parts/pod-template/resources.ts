import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { getOwn } from '../../../api/json/json.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../../../api/values/quantity.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { ObjectMeta } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { isHugePages } from '../../../schema/kubernetes/resource-names.ts';
import { compareTexts, podResourceName, resourceRequirements } from '../amounts/quantities.ts';
import { internalValue } from '../rules/internal-value.ts';
import { dnsLabel, dnsSubdomain, type Errors } from '../rules/rules.ts';
import { isSet } from '../rules/set-fields.ts';
import { isSidecar } from './containers.ts';

// Pod-level resources: device claims, and requests and limits besides those of the containers.

export function* resourceClaims(
  claims: readonly core.PodResourceClaim[],
  path: string,
  meta: ObjectMeta | undefined,
): Errors {
  const names = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    if (meta?.annotations?.['kubernetes.io/config.mirror'] !== undefined) {
      yield forbiddenField('', 'static pods do not support resource claims');
      continue;
    }
    const itemPath = keyPath(path, index);
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim;
    if (name === '') yield requiredField(childPath(itemPath, 'name'));
    else if (names.has(name)) yield duplicateField(childPath(itemPath, 'name'), name);
    else yield* dnsLabel(name, childPath(itemPath, 'name'));
    names.add(name);
    const shown = () => internalValue('core.PodResourceClaim', claim);
    const count = [resourceClaimName, resourceClaimTemplateName].filter((value) => value !== undefined).length;
    if (count === 2) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      yield invalidField(itemPath, shown(), detail);
    }
    if (count === 0) {
      yield invalidField(itemPath, shown(), 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    }
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      if (claim[field] !== undefined) yield* dnsSubdomain(claim[field], childPath(itemPath, field));
    }
  }
}

export function* podLevelResources(spec: core.PodSpec, path: string, claimNames: ReadonlySet<string>): Errors {
  const { resources } = spec;
  if (resources === undefined) return;
  const resourcesPath = childPath(path, 'resources');
  if (spec.os?.name === 'windows') return yield forbiddenField(resourcesPath, 'may not be set for a windows pod');
  if (isSet(resources, 'claims')) {
    const detail = 'claims may not be set for Resources at pod-level';
    yield forbiddenField(childPath(resourcesPath, 'claims'), detail);
  }
  yield* resourceRequirements(podResourceName, claimNames)(resources, resourcesPath);
  yield* consistency(spec, resources, resourcesPath);
}

function* consistency(spec: core.PodSpec, resources: core.ResourceRequirements, path: string): Errors {
  const sums = [
    { kind: 'requests', words: 'requests', applies: () => true },
    { kind: 'limits', words: 'limits', applies: isHugePages },
  ] as const;
  for (const { kind, words, applies } of sums) {
    for (const [name, sum] of aggregateAmounts(spec, kind)) {
      const whole = getOwn(resources[kind], name);
      if (whole === undefined || !applies(name) || compareQuantities(sum, parseQuantity(whole)) <= 0) continue;
      const detail = `must be greater than or equal to aggregate container ${words} of ${formatQuantity(sum)}`;
      yield invalidField(keyPath(childPath(path, kind), name), whole, detail);
    }
  }
  for (const [index, container] of (spec.containers ?? []).entries()) {
    const limits = container.resources?.limits ?? {};
    for (const name in limits) {
      const limit = limits[name] ?? '';
      const whole = resources.limits?.[name];
      if (whole === undefined || compareTexts(limit, whole) <= 0) continue;
      const limitPath = `${path}.containers[${index}][${name}].limits`;
      yield invalidField(limitPath, limit, `must be less than or equal to pod limits of ${whole}`);
    }
  }
}

type Amounts = Map<string, Quantity>;

/**
 * The most that containers need at one time: the sum of those that run together, or an init container that runs before.
 */
export function aggregateAmounts(spec: core.PodSpec, kind: 'requests' | 'limits'): ReadonlyMap<string, Quantity> {
  const total: Amounts = new Map();
  for (const container of spec.containers ?? []) add(total, container.resources?.[kind]);
  const sidecars: Amounts = new Map();
  const before: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = container.resources?.[kind];
    // The other sidecar resources were raised with them.
    const needed: Amounts = new Map();
    for (const name of Object.keys(own ?? {})) {
      const sum = sidecars.get(name);
      if (sum !== undefined) needed.set(name, sum);
    }
    add(needed, own);
    if (isSidecar(container)) {
      add(total, own);
      add(sidecars, own);
    }
    raise(before, needed);
  }
  raise(total, before);
  return total;
}

function add(sums: Amounts, values: { readonly [name: string]: string } | undefined): void {
  for (const name in values) {
    const sum = sums.get(name);
    const value = parseQuantity(values[name] ?? '');
    sums.set(name, sum === undefined ? value : addQuantities(sum, value));
  }
}

function raise(sums: Amounts, floor: Amounts): void {
  for (const [name, value] of floor) {
    const sum = sums.get(name);
    if (sum === undefined || compareQuantities(value, sum) > 0) sums.set(name, value);
  }
}
