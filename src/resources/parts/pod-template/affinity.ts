import { childPath, forbiddenField, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import { dnsLabelErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { LabelSelector } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { each, type Errors, formErrors, qualifiedName } from '../rules/rules.ts';
import { labelSelector } from '../selectors/label-selectors.ts';
import { nodeSelector, nodeSelectorTerm } from '../selectors/node-selectors.ts';

const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
const soft = 'preferredDuringSchedulingIgnoredDuringExecution';

export function* affinity(value: core.Affinity, path: string): Errors {
  if (value.nodeAffinity) yield* nodeAffinity(value.nodeAffinity, childPath(path, 'nodeAffinity'));
  if (value.podAffinity) yield* podAffinity(value.podAffinity, childPath(path, 'podAffinity'));
  if (value.podAntiAffinity) yield* podAffinity(value.podAntiAffinity, childPath(path, 'podAntiAffinity'));
}

function* nodeAffinity(value: core.NodeAffinity, path: string): Errors {
  const required = value[hard];
  if (required) yield* nodeSelector(required, childPath(path, hard));
  yield* each<core.PreferredSchedulingTerm>(function* (term, itemPath) {
    yield* weight(term.weight, childPath(itemPath, 'weight'));
    yield* nodeSelectorTerm(true)(term.preference ?? {}, childPath(itemPath, 'preference'));
  })(value[soft], childPath(path, soft));
}

function* weight(value = 0, path: string): Errors {
  if (value <= 0 || value > 100) yield invalidField(path, value, 'must be in the range 1-100');
}

function* podAffinity(value: core.PodAffinity, path: string): Errors {
  yield* each(podAffinityTerm)(value[hard], childPath(path, hard));
  yield* each<core.WeightedPodAffinityTerm>(function* (term, itemPath) {
    yield* weight(term.weight, childPath(itemPath, 'weight'));
    yield* podAffinityTerm(term.podAffinityTerm ?? {}, childPath(itemPath, 'podAffinityTerm'));
  })(value[soft], childPath(path, soft));
}

function* podAffinityTerm(term: core.PodAffinityTerm, path: string): Errors {
  yield* labelSelector(term.labelSelector, childPath(path, 'labelSelector'));
  yield* labelSelector(term.namespaceSelector, childPath(path, 'namespaceSelector'));
  for (const name of term.namespaces ?? []) {
    yield* formErrors(childPath(path, 'namespace'), name, dnsLabelErrors(name));
  }
  yield* labelKeys(term, path);
  const topologyPath = childPath(path, 'topologyKey');
  const { topologyKey = '' } = term;
  if (topologyKey === '') yield requiredField(topologyPath, 'can not be empty');
  yield* qualifiedName(topologyKey, topologyPath);
}

interface LabelKeys {
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly labelSelector?: LabelSelector;
}

/** matchLabelKeys: keys whose values come from the pod itself. */
export function* labelKeys(term: LabelKeys, path: string): Errors {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector: selector } = term;
  yield* keyList(matchLabelKeys, selector, childPath(path, 'matchLabelKeys'));
  yield* keyList(mismatchLabelKeys, selector, childPath(path, 'mismatchLabelKeys'));
  // A key that the server merged into the selector occurs there once.
  const selected = new Set(Object.keys(selector?.matchLabels ?? {}));
  const lastIndexes = new Map(matchLabelKeys.map((key, index) => [key, index]));
  for (const { key = '' } of selector?.matchExpressions ?? []) {
    const index = lastIndexes.get(key);
    if (index !== undefined && selected.has(key)) {
      yield invalidField(keyPath(path, index), key, 'exists in both matchLabelKeys and labelSelector');
    }
    selected.add(key);
  }
  const mismatches = new Set(mismatchLabelKeys);
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!mismatches.has(key)) continue;
    const itemPath = keyPath(childPath(path, 'matchLabelKeys'), index);
    yield invalidField(itemPath, key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  }
}

/** Keys that are not merged into the selector. */
export function* unmergedLabelKeys({ matchLabelKeys = [], labelSelector: selector }: LabelKeys, path: string): Errors {
  if (matchLabelKeys.length === 0) return;
  if (selector === undefined) yield forbiddenField(path, 'must not be specified when labelSelector is not set');
  const selected = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key = '' } of selector?.matchExpressions ?? []) selected.add(key);
  for (const [index, key] of matchLabelKeys.entries()) {
    yield* qualifiedName(key, keyPath(path, index));
    if (selected.has(key))
      yield invalidField(keyPath(path, index), key, 'exists in both matchLabelKeys and labelSelector');
  }
}

function* keyList(keys: readonly string[], selector: LabelSelector | undefined, path: string): Errors {
  if (keys.length === 0) return;
  if (selector === undefined) return yield forbiddenField(path, 'must not be specified when labelSelector is not set');
  yield* each<string>(qualifiedName)(keys, path);
}
