import type { GroupVersionKind } from '../api/group-version.ts';
import { builtInGroups } from '../schema/kubernetes/resources.ts';
import type { Schema } from '../schema/schema.ts';
import type { KindRegistry, ResourceRequest } from './resource-request.ts';

/**
 * Reads a body that may claim to be of any kind. Kinds of versions that nobody serves are known as well, but their
 * schemas are loaded for the few bodies that name one: what failed is then tried again.
 */
export async function withAllKinds<T>(
  request: ResourceRequest,
  attempt: (request: ResourceRequest) => T | Promise<T>,
): Promise<T> {
  const { group } = request.scope.resource;
  const served = (kind: GroupVersionKind): Schema | undefined =>
    isKnownTo(group, kind) ? request.kinds.schemaOf(kind) : undefined;
  let missed = false;
  const kinds: KindRegistry = {
    scopeOfKind: (kind) => request.kinds.scopeOfKind(kind),
    schemaOf(kind) {
      const schema = served(kind);
      missed ||= schema === undefined && isKnownTo(group, kind);
      return schema;
    },
  };
  try {
    return await attempt({ ...request, kinds });
  } catch (error) {
    if (!missed) throw error;
    const { schemaOfAnyKind } = await import('../schema/kubernetes/unserved-kinds.ts');
    const schemaOf = (kind: GroupVersionKind): Schema | undefined =>
      served(kind) ?? (isKnownTo(group, kind) ? schemaOfAnyKind(kind) : undefined);
    return await attempt({ ...request, kinds: { ...kinds, schemaOf } });
  }
}

/** Groups of servers that the reference is made of; each knows its own kinds alone. */
const groupsApart: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Kinds that every server knows, of whatever version. */
const unversionedKinds: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'Status',
]);

/** Whether the server of a group knows a kind of this version, or may. */
function isKnownTo(served: string, { group, version, kind }: GroupVersionKind): boolean {
  if (unversionedKinds.has(kind)) return true;
  if (group !== served && (groupsApart.has(group) || groupsApart.has(served))) return false;
  const registered = builtInGroups().find(({ name }) => name === group);
  return registered?.versions.includes(version) === true || registered?.unservedVersions.includes(version) === true;
}
