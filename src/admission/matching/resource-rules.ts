import type { AdmissionAttributes, ServedVersion } from '../../api/contracts/admission.ts';
import type { NamedRuleWithOperations } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';

/** What rules look at, which is the same for all requests of one operation on one resource, but for the name. */
export type MatchedAttributes = Pick<
  AdmissionAttributes,
  'operation' | 'group' | 'version' | 'resource' | 'subresource' | 'namespaced' | 'objectKind' | 'versions'
> & { readonly name?: string };

export interface ResourceRules {
  readonly rules: readonly NamedRuleWithOperations[];
  /** The match policy is `Equivalent`: a rule may name another version of the resource. */
  readonly matchesEquivalent: boolean;
}

/** The version in which the resource matches the first such rule; undefined when no rule matches. */
export function matchedVersion(
  { rules, matchesEquivalent }: ResourceRules,
  attributes: MatchedAttributes,
): ServedVersion | undefined {
  const requested = requestedVersion(attributes);
  if (rules.some((rule) => matches(rule, attributes, requested.resource))) return requested;
  if (!matchesEquivalent) return undefined;
  const others = attributes.versions().filter(({ resource }) => !isSame(resource, attributes));
  for (const rule of rules) {
    const other = others.find(({ resource }) => matches(rule, attributes, resource));
    if (other !== undefined) return other;
  }
  return undefined;
}

export function requestedVersion({ group, version, resource, objectKind }: MatchedAttributes): ServedVersion {
  return { resource: { group, version, resource }, kind: objectKind };
}

type Resource = ServedVersion['resource'];

function isSame(a: Resource, b: Resource): boolean {
  return a.group === b.group && a.version === b.version && a.resource === b.resource;
}

function matches(
  rule: NamedRuleWithOperations,
  { operation, subresource, namespaced, name = '' }: MatchedAttributes,
  { group, version, resource }: Resource,
): boolean {
  const { scope = '*', operations = [], apiGroups = [], apiVersions = [], resources = [], resourceNames = [] } = rule;
  return (
    (scope === '*' || (scope === 'Namespaced') === namespaced) &&
    includes(operations, operation) &&
    includes(apiGroups, group) &&
    includes(apiVersions, version) &&
    resources.some((each) => isResource(each, resource, subresource)) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

function includes(items: readonly string[], item: string): boolean {
  return items.includes('*') || items.includes(item);
}

// `pods`, `pods/status`, `pods/*`, `*`, `*/status` or `*/*`.
function isResource(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const [ofResource, ofSubresource] =
    slash === -1 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (ofResource === '*' || ofResource === resource) && (ofSubresource === '*' || ofSubresource === subresource);
}
