import type { PolicyRule } from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import { combinationsOf, RuleIndex } from './rule-index.ts';

/** One verb on one resource or path. */
export interface SingleRule {
  readonly verb: string;
  readonly path?: string;
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly resourceName?: string;
}

/** Key of rules that are identical in order and content. */
export function ruleKey({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): string {
  return JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
}

/** Maximum of single permissions compared: the rules of one object can multiply to any number. */
const mostSingleRules = 1_000_000;
/** Comparisons with single rules take longer than lookups. */
const mostComparisons = 50_000_000;
/** How many missing rules are named at most. */
const maxMissing = 5_000;

/**
 * The first permissions in `rules` that `owned` does not cover, one by one; undefined if there are too many to compare.
 * Pauses: few rules may grant very many.
 */
export function missingRules(
  owned: readonly PolicyRule[],
  rules: readonly PolicyRule[],
): readonly SingleRule[] | undefined {
  const count = countOfSingleRules(rules);
  if (count > mostSingleRules) return undefined;
  const index = new RuleIndex<true>();
  for (const rule of owned) {
    index.add(rule, true);
  }
  if (count * index.compared > mostComparisons) return undefined;
  const missing: SingleRule[] = [];
  for (const rule of rules) {
    for (const single of singleRules(rule)) {
      if (!covers(index, single)) missing.push(single);
      if (missing.length === maxMissing) return missing;
    }
  }
  return missing;
}

/** In the order in which the reference expands a rule. */
function* singleRules({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): Generator<SingleRule> {
  for (const apiGroup of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        if (resourceNames.length === 0) yield { apiGroup, resource, verb };
        for (const resourceName of resourceNames) yield { apiGroup, resource, verb, resourceName };
      }
    }
  }
  for (const path of nonResourceURLs) for (const verb of verbs) yield { path, verb };
}

function covers(
  index: RuleIndex<true>,
  { verb, path, apiGroup = '', resource = '', resourceName }: SingleRule,
): boolean {
  if (path !== undefined) return index.findPath(verb, path) === true;
  const slash = resource.indexOf('/');
  const [plural, subresource] = slash === -1 ? [resource, ''] : [resource.slice(0, slash), resource.slice(slash + 1)];
  return index.find({ verb, group: apiGroup, resource: plural, subresource, name: resourceName }) === true;
}

/** Number of single permissions that the rules expand to. */
function countOfSingleRules(rules: readonly PolicyRule[]): number {
  return rules.reduce((sum, rule) => sum + combinationsOf(rule), 0);
}
