import type { ClientResource } from '../../api/client.ts';

/** `deployments.apps`: a resource in whatever version it is served. */
export type ResourceKey = string;

export function resourceKey({ group, resource }: Pick<ClientResource, 'group' | 'resource'>): ResourceKey {
  return `${resource}.${group}`;
}
