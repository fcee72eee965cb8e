import type { UserInfo } from './user.ts';

const prefix = 'system:node:';

/**
 * The node that a kubelet's user stands for: its name begins with `system:node:`, and it is in the group of all nodes. Empty when the name
 * says no more than that; undefined for everybody else.
 */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(prefix) && groups.includes('system:nodes') ? name.slice(prefix.length) : undefined;
}
