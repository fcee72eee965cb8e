import type { ClientResource } from '../../api/client/client.ts';

/** `deployments.apps`: a resource independent of its version. */
export type ResourceKey = string;

export function resourceKey({ group, resource }: Pick<ClientResource, 'group' | 'resource'>): ResourceKey {
  return `${resource}.${group}`;
}
