import type { AuditLevel, AuditStage } from '../api/contracts/audit.ts';
import type { AuthorizationAttributes } from '../api/contracts/authorization.ts';
import type { UserInfo } from '../api/contracts/user.ts';
import type { AuditPolicy, GroupResources, PolicyRule } from './policy-file.ts';

/** The decision of a policy on a request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** The attributes of a request; those who are not authenticated have no user. */
export type AuditedAttributes = Omit<AuthorizationAttributes, 'user' | 'selectors'> & {
  readonly user: UserInfo | undefined;
};

type Matches = (attributes: AuditedAttributes) => boolean;

/** Compiles a policy: the first rule that matches decides, and without one nothing is audited. */
export function compilePolicy({ rules, ...common }: AuditPolicy): (attributes: AuditedAttributes) => AuditDecision {
  const compiled = rules.map((rule) => ({
    matches: matcherOf(rule),
    decision: {
      level: rule.level,
      omitStages: new Set([...common.omitStages, ...rule.omitStages]),
      omitManagedFields: rule.omitManagedFields ?? common.omitManagedFields,
    },
  }));
  const none: AuditDecision = {
    level: 'None',
    omitStages: new Set(common.omitStages),
    omitManagedFields: common.omitManagedFields,
  };
  return (attributes) => compiled.find(({ matches }) => matches(attributes))?.decision ?? none;
}

function matcherOf(rule: PolicyRule): Matches {
  const { users, userGroups, verbs, namespaces, resources, nonResourceURLs } = rule;
  const conditions: Matches[] = [];
  if (users.length > 0) conditions.push(isIn(users, ({ user }) => user?.name));
  if (userGroups.length > 0) {
    const groups = new Set(userGroups);
    conditions.push(({ user }) => user !== undefined && user.groups.some((group) => groups.has(group)));
  }
  if (verbs.length > 0) conditions.push(isIn(verbs, ({ verb }) => verb));
  if (namespaces.length > 0 || resources.length > 0) {
    conditions.push(({ isResourceRequest }) => isResourceRequest);
    if (namespaces.length > 0) conditions.push(isIn(namespaces, ({ namespace }) => namespace));
    const ofResources = resources.map(resourceMatcher);
    if (resources.length > 0) conditions.push((attributes) => ofResources.some((matches) => matches(attributes)));
  } else if (nonResourceURLs.length > 0) {
    conditions.push(({ isResourceRequest, path }) => {
      return !isResourceRequest && nonResourceURLs.some((pattern) => matchesPath(path, pattern));
    });
  }
  return (attributes) => conditions.every((isMet) => isMet(attributes));
}

function isIn(values: readonly string[], of: (attributes: AuditedAttributes) => string | undefined): Matches {
  const set = new Set(values);
  return (attributes) => {
    const value = of(attributes);
    return value !== undefined && set.has(value);
  };
}

function matchesPath(path: string, pattern: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1));
}

function resourceMatcher({ group, resources, resourceNames }: GroupResources): Matches {
  const names = new Set(resourceNames);
  const written = new Set(resources);
  return (attributes) => {
    if (group !== '*' && group !== attributes.group) return false;
    if (resources.length === 0) return true;
    if (names.size > 0 && !names.has(attributes.name)) return false;
    const { resource, subresource } = attributes;
    if (written.has('*') || written.has(`${resource}/*`)) return true;
    if (subresource === '') return written.has(resource);
    return written.has(`${resource}/${subresource}`) || written.has(`*/${subresource}`);
  };
}
