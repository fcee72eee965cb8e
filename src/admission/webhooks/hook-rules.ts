import type { AdmissionAttributes, ServedVersion } from '../../api/admission.ts';
import type { RuleWithOperations } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { Hook } from './hook.ts';

/** A webhook that matches a kind of request, and the version in which it wants the objects. */
export interface HookCall extends ServedVersion {
  readonly hook: Hook;
}

/** What rules look at, which is the same for all requests of one operation on one resource. */
export type MatchedAttributes = Pick<
  AdmissionAttributes,
  'operation' | 'group' | 'version' | 'resource' | 'subresource' | 'namespaced' | 'objectKind' | 'versions'
>;

/**
 * The call of a webhook whose rules match the request. With the match policy `Equivalent` a rule may name another
 * version of the resource. Undefined when no rule matches.
 */
export function callOf(hook: Hook, attributes: MatchedAttributes): HookCall | undefined {
  const { group, version, resource } = attributes;
  if (hook.rules.some((rule) => matches(rule, attributes, { group, version }))) {
    return { hook, resource: { group, version, resource }, kind: attributes.objectKind };
  }
  if (!hook.matchesEquivalent) return undefined;
  const others = attributes.versions().filter(({ resource: other }) => !isSame(other, attributes));
  for (const rule of hook.rules) {
    const other = others.find((each) =>
      matches(rule, { ...attributes, resource: each.resource.resource }, each.resource),
    );
    if (other !== undefined) return { hook, ...other };
  }
  return undefined;
}

function isSame(a: ServedVersion['resource'], b: ServedVersion['resource']): boolean {
  return a.group === b.group && a.version === b.version && a.resource === b.resource;
}

function matches(
  { scope = '*', operations = [], apiGroups = [], apiVersions = [], resources = [] }: RuleWithOperations,
  { operation, resource, subresource, namespaced }: MatchedAttributes,
  { group, version }: { readonly group: string; readonly version: string },
): boolean {
  return (
    (scope === '*' || (scope === 'Namespaced') === namespaced) &&
    includes(operations, operation) &&
    includes(apiGroups, group) &&
    includes(apiVersions, version) &&
    resources.some((each) => isResource(each, resource, subresource))
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
