import type { GroupResource } from '../../api/meta/group-version.ts';
import { type FieldError, invalidField, keyPath, requiredField } from '../../api/errors/field-error.ts';
import { anyResource, isSameResource, parseResourceName } from './resource-name.ts';

/** Errors of one list of resources. */
export function resourceErrors(resources: readonly string[], path: string): readonly FieldError[] {
  const missing = resources.length === 0 ? [requiredField(path, `at least one ${path} is required`)] : [];
  const names = resources.flatMap((name, index) => {
    const why = nameProblem(name);
    return why === undefined ? [] : [invalidField(keyPath(path, index), name, why)];
  });
  return [...missing, ...overlapErrors(resources, path), ...names];
}

function overlapErrors(names: readonly string[], path: string): readonly FieldError[] {
  const resources = names.map(parseResourceName);
  const pairs = resources.flatMap((one, index) =>
    resources.filter((_, other) => other !== index).map((other) => [one, other] as const),
  );
  const { length: same } = pairs.filter(([one, other]) => isSameResource(one, other));
  // The first equal pair only counts as that.
  const firstSame = pairs.findIndex(([one, other]) => isSameResource(one, other));
  const overlaps = pairs.some(([one, other], index) => index !== firstSame && areOverlapping(one, other));
  const found: FieldError[] = [];
  if (same > 0) {
    found.push(invalidField(path, [...names], 'the same resource cannot be specified multiple times'));
  }
  if (overlaps) {
    const why =
      "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
    found.push(invalidField(path, [...names], why));
  }
  return found;
}

function areOverlapping(one: GroupResource, other: GroupResource): boolean {
  if (isSameResource(one, anyResource)) return true;
  return one.group === other.group && (one.resource === '*' || other.resource === '*');
}

/** State of servers that has no API. */
const withoutApi: ReadonlySet<string> = new Set([
  'apiserveripinfo',
  'serviceipallocations',
  'servicenodeportallocations',
]);

function nameProblem(name: string): string | undefined {
  if (name.toLowerCase() !== name) return 'resource name should not contain capital letters';
  if (name === '*') {
    return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  }
  if (withoutApi.has(name)) return 'resources which do not have REST API/s cannot be encrypted';
  const { group, resource } = parseResourceName(name);
  if (group === 'events.k8s.io') {
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  }
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported';
  return undefined;
}
