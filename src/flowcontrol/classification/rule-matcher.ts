import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import type { FlowRequest } from './flow-request.ts';

export type RequestMatcher = (request: FlowRequest) => boolean;

/** Undefined: everything. The wildcard counts only where it is the only value. */
function valuesOf(values: readonly string[] = []): ReadonlySet<string> | undefined {
  return values.length === 1 && values[0] === '*' ? undefined : new Set(values);
}

function resourceMatcher(rule: ResourcePolicyRule): RequestMatcher {
  const verbs = valuesOf(rule.verbs);
  const groups = valuesOf(rule.apiGroups);
  const resources = valuesOf(rule.resources);
  const namespaces = valuesOf(rule.namespaces);
  const { clusterScope = false } = rule;
  return ({ verb, group, resource, subresource, namespace }) => {
    if (verbs?.has(verb) === false || groups?.has(group) === false) return false;
    if (resources?.has(subresource === '' ? resource : `${resource}/${subresource}`) === false) return false;
    return namespace === '' ? clusterScope : namespaces?.has(namespace) !== false;
  };
}

function pathMatcher(rule: NonResourcePolicyRule): RequestMatcher {
  const verbs = valuesOf(rule.verbs);
  const { nonResourceURLs = [] } = rule;
  const paths = new Set(nonResourceURLs);
  // A path without a wildcard matches what is below it too.
  const prefixes = nonResourceURLs
    .map((url) => url.replace(/\*$/, ''))
    .map((url) => (url.endsWith('/') ? url : `${url}/`));
  const isAny = paths.has('*');
  return ({ verb, path }) => {
    if (verbs?.has(verb) === false) return false;
    return isAny || paths.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
  };
}

/** Whether a request matches one of the rules, whoever sent it. */
export function ruleMatcher({ resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects): RequestMatcher {
  const resources = resourceRules.map(resourceMatcher);
  const paths = nonResourceRules.map(pathMatcher);
  return (request) => (request.isResourceRequest ? resources : paths).some((matches) => matches(request));
}
