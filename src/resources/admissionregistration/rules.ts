import {
  childPath,
  duplicateField,
  invalidField,
  keyPath,
  requiredField,
  tooManyField,
} from '../../api/errors/field-error.ts';
import { pathSegmentErrors } from '../../api/meta/names.ts';
import { whiteSpace, withoutEdges } from '../../api/text/text-edges.ts';
import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { repetitions } from '../parts/rules/repetitions.ts';
import {
  aloneIfWildcard,
  each,
  type Errors,
  formErrors,
  isEmpty,
  oneOf,
  qualifiedName,
  required,
  requiredAnd,
} from '../parts/rules/rules.ts';
import { labelSelector } from '../parts/selectors/label-selectors.ts';

// Rules for the requests that a webhook or policy intercepts.

export const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

export function* ruleWithOperations(rule: admission.RuleWithOperations, path: string): Errors {
  const { operations: requested = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const operationsPath = childPath(path, 'operations');
  yield* required()(requested, operationsPath);
  yield* aloneIfWildcard(requested, operationsPath, 'operations');
  yield* each(oneOf(operations))(requested, operationsPath);
  const groupsPath = childPath(path, 'apiGroups');
  yield* required()(apiGroups, groupsPath);
  yield* aloneIfWildcard(apiGroups, groupsPath, 'API groups');
  const versionsPath = childPath(path, 'apiVersions');
  yield* required()(apiVersions, versionsPath);
  yield* aloneIfWildcard(apiVersions, versionsPath, 'API versions');
  yield* each(required())(apiVersions, versionsPath);
  yield* resourcesOf(resources, childPath(path, 'resources'));
  yield* oneOf(['*', 'Cluster', 'Namespaced'])(scope, childPath(path, 'scope'));
}

/** `pods`, `pods/status`, `pods/*`, `*\/scale`, `*`, `*\/*`: resources covered by a preceding wildcard are refused. */
function* resourcesOf(values: readonly string[], path: string): Errors {
  if (values.length === 0) return yield requiredField(path);
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  for (const [index, value] of values.entries()) {
    const itemPath = keyPath(path, index);
    if (value === '') yield requiredField(itemPath);
    const slash = value.indexOf('/');
    if (slash < 0) continue;
    const [resource, subresource] = [value.slice(0, slash), value.slice(slash + 1)];
    const covered = (pattern: string) =>
      invalidField(itemPath, value, `if '${pattern}' is present, must not specify ${value}`);
    if (wholeResources.has(resource)) yield covered(`${resource}/*`);
    if (wholeSubresources.has(subresource)) yield covered(`*/${subresource}`);
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(subresource);
  }
  if (values.length > 1 && values.includes('*/*')) {
    yield invalidField(path, [...values], "if '*/*' is present, must not specify other resources");
  }
  // Only the last resource without a subresource counts.
  const last = values.findLast((value) => value !== '' && !value.includes('/'));
  if (values.includes('*') && last !== '*') {
    const detail = "if '*' is present, must not specify other resources without subresources";
    yield invalidField(path, [...values], detail);
  }
}

/** A rule of a policy, which may have resourceNames. */
function* namedRule(rule: admission.NamedRuleWithOperations, path: string): Errors {
  const names = rule.resourceNames ?? [];
  const isRepeated = repetitions();
  for (const [index, name] of names.entries()) {
    const itemPath = keyPath(childPath(path, 'resourceNames'), index);
    yield* formErrors(itemPath, name, pathSegmentErrors(name));
    if (isRepeated(name)) yield duplicateField(itemPath, name);
  }
  yield* ruleWithOperations(rule, path);
}

/** The match criteria of a policy or binding. */
export function* matchResources(resources: admission.MatchResources, path: string): Errors {
  const policyPath = childPath(path, 'matchPolicy');
  if (resources.matchPolicy === undefined) yield requiredField(policyPath);
  yield* oneOf(['Equivalent', 'Exact'])(resources.matchPolicy, policyPath);
  for (const name of ['namespaceSelector', 'objectSelector'] as const) {
    if (resources[name] === undefined) yield requiredField(childPath(path, name));
    yield* labelSelector(resources[name], childPath(path, name));
  }
  yield* each(namedRule)(resources.resourceRules, childPath(path, 'resourceRules'));
  yield* each(namedRule)(resources.excludeResourceRules, childPath(path, 'excludeResourceRules'));
}

const maxMatchConditions = 64;

/** The errors of an expression, trimmed. */
export type ConditionErrors = (expression: string, path: string) => Errors;

/** CEL match conditions. */
export function* matchConditions(
  conditions: readonly admission.MatchCondition[] = [],
  path: string,
  errorsOf: ConditionErrors = () => [],
): Errors {
  if (conditions.length > maxMatchConditions) yield tooManyField(path, conditions.length, maxMatchConditions);
  const isRepeated = repetitions();
  for (const [index, { name = '', expression = '' }] of conditions.entries()) {
    const itemPath = keyPath(path, index);
    const namePath = childPath(itemPath, 'name');
    const expressionPath = childPath(itemPath, 'expression');
    const trimmed = withoutEdges(expression, whiteSpace);
    if (trimmed === '') yield requiredField(expressionPath);
    else yield* errorsOf(trimmed, expressionPath);
    yield* requiredAnd(qualifiedName)(name, namePath);
    if (isRepeated(name) && !isEmpty(name)) yield duplicateField(namePath, name);
  }
}
