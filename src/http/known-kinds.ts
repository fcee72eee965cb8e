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
  let missed = false;
  const kinds: KindRegistry = {
    scopeOfKind: (kind) => request.kinds.scopeOfKind(kind),
    schemaOf(kind) {
      const schema = request.kinds.schemaOf(kind);
      missed ||= schema === undefined && isRegistered(kind);
      return schema;
    },
  };
  try {
    return await attempt({ ...request, kinds });
  } catch (error) {
    if (!missed) throw error;
    const { schemaOfAnyKind } = await import('../schema/kubernetes/unserved-kinds.ts');
    const schemaOf = (kind: GroupVersionKind): Schema | undefined =>
      request.kinds.schemaOf(kind) ?? (isRegistered(kind) ? schemaOfAnyKind(kind) : undefined);
    return await attempt({ ...request, kinds: { ...kinds, schemaOf } });
  }
}

function isRegistered({ group, version }: GroupVersionKind): boolean {
  const registered = builtInGroups().find(({ name }) => name === group);
  return registered?.versions.includes(version) === true || registered?.unservedVersions.includes(version) === true;
}
