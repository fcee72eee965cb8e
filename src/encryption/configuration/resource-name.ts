import type { GroupResource } from '../../api/meta/group-version.ts';

export const anyResource: GroupResource = { group: '*', resource: '*' };

/** Parses `secrets`, `deployments.apps`, `*.apps`, `*.` (all of the core group) or `*.*`. */
export function parseResourceName(name: string): GroupResource {
  const dot = name.indexOf('.');
  return dot < 0 ? { group: '', resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
}

export function writeResourceName({ group, resource }: GroupResource): string {
  if (group !== '') return `${resource}.${group}`;
  return resource === '*' ? '*.' : resource;
}

export function isSameResource(one: GroupResource, other: GroupResource): boolean {
  return one.group === other.group && one.resource === other.resource;
}
