import type { UserInfo } from './user.ts';

const prefix = 'system:node:';

/**
 * Name of the node that a kubelet's user identifies: `system:node:NAME` in the group `system:nodes`. Empty when the
 * user name has no node name; undefined for other users.
 */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(prefix) && groups.includes('system:nodes') ? name.slice(prefix.length) : undefined;
}
