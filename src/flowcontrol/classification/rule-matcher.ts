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
  if (nonResourceURLs.includes('*')) return ({ verb }) => verbs?.has(verb) !== false;
  // A path without a wildcard matches what is below it too.
  const prefixes = nonResourceURLs
    .map((url) => url.replace(/\*$/, ''))
    .map((url) => (url.endsWith('/') ? url : `${url}/`));
  return ({ verb, path }) => verbs?.has(verb) !== false && isBelow(path, nonResourceURLs, prefixes);
}

function isBelow(path: string, paths: readonly string[], prefixes: readonly string[]): boolean {
  for (const each of paths) if (path === each) return true;
  for (const prefix of prefixes) if (path.startsWith(prefix)) return true;
  return false;
}

/** Whether a request matches one of the rules, whoever sent it. */
export function ruleMatcher({ resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects): RequestMatcher {
  const resources = resourceRules.map(resourceMatcher);
  const paths = nonResourceRules.map(pathMatcher);
  return (request) => {
    for (const matches of request.isResourceRequest ? resources : paths) if (matches(request)) return true;
    return false;
  };
}
